/** What the examples of the specs name, and the demo data has. */
export const keyId = "01KAFZ6M1P3R5T7V9X1Z3B5D7F";
export const businessId = "01KAFZ0B3D5F7H9K1M3P5R7T9V";
export const consumerId = "01KAFZ0C8E2G6J0L4N8Q2S6U0W";
/** For whose benefit a custodial account is opened. */
export const beneficialOwnerId = "01KAFZ0D4F6H8K0M2P4R6T8V0X";
export const legalRepId = "01KAFZ1C4M8N2P6R0S5T9V3W7X";
/** One without beneficiaries. */
export const otherLegalRepId = "01KAFZ1C9Z7Y5X3W1V8T6S4R2Q";
export const shareHolderId = "01KAFZ5E6G8J0L2N4Q6S8U0W2Y";
export const poolId = "01KAFZ2A5C7E9G1J3L5N7Q9S1U";
export const poolNumber = "900000000000106";
export const clearingNumber = "900000000000203";
export const accountId = "01KAFZ3Q8X5T7W2R9V4B6N1M0C";
export const accountNumber = "100200300400111";
export const savingsId = "01KAFZB9D3F7H1K5M9P3R7T1V5";
export const savingsNumber = "200200300400737";
export const beneficiaryId = "01KAFZ9J2D6F0H4K8M1P5R9T3V";
export const sourceId = "01KAFZ7S4U6W8Y0A2C4E6G8J0L";
export const source = "CORE_LEDGER";
export const category = "Business Checking";
export const otherCategory = "Business Premium";
export const invoice = {
  referenceId: "INV-2026-000117",
  transactionId: "01KAFZCW5Y9A3C7E1G5J9L3N7Q",
  feeNumber: "01KAFZCW6B0D4F8H2K6M0P4R8T",
};
export const cardPayment = { referenceId: "POS-2026-018223", transactionId: "01KAFZCX2B4D6F8H0K2M4P6R8T" };
/** Good for the first minutes of the demo data, as any one-time password is. */
export const registration = { otpToken: "5f0c8a1e94d24b7fb1d36a0e72c9583d", otp: "481205" };
/** Users whose API keys nobody has: they are there to be looked at and changed. */
export const systemUser = "northwind-erp";
export const phoneUser = "northwind-mobile";
/** As it calls: with the institution's number. */
export const phoneUserName = `091311229.${phoneUser}`;
export const phoneApiKeyId = "01KAFZF2A4C6E8G0J2L4N6Q8S0";
export const phoneKeyId = "01KAFZD4T6V8X0Z2B4D6F8H0K2";
/** A further key of the caller of the documented interface, whose private half nobody has. */
export const spareKeyId = "01KAFZD5V7X9Z1B3D5F7H9K1M3";
/** A user who was invited and has not come yet. */
export const invitedUser = "northwind-books";
export const settlementNumber = "100200300402633";
export const subscriptionId = "01KAFZE8P2R6T0V4X8Z2B6D0F4";
export const movedSubscriptionId = "01KAFZE9Q3S7U1W5Y9A3C7E1G5";
export const eventId = "01KAFZJ4C6E8G0K2N4Q6S8U0W2";
export const deadDeliveryId = "01KAFZK5D7F9H1M3P5R7T9V1X3";
export const arrivedDeliveryId = "01KAFZK6E8G0J2N4Q6S8U0W2Y4";
export const cancelledDeliveryId = "01KAFZK7F9H1J3N5Q7S9U1W3Y5";
export const failedMailId = "01KAFZM8H0K2M4P6R8T0V2X4Z6";
export const sentMailId = "01KAFZM6F8H0K2M4P6R8T0V2X4";
export const openProposalId = "01KAFZN8H0K2N4Q6S8U0W2Y4A6";
export const approvedProposalId = "01KAFZN9J1M3P5R7T9V1X3Z5B7";
