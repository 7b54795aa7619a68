/**
 * The tokens and records that a revoked user leaves behind end (D-48), also where it was revoked before; events say to
 * each side of a transaction whose customer it is (D-49); accounts of the institution itself are marked, and closing an
 * account asks for pending credits (D-55).
 */
export const revokedUsers = `
ALTER TABLE subscriptions ADD COLUMN disabled_because TEXT
  CHECK (disabled_because IN ('OPERATOR', 'FAILING', 'GONE', 'REVOKED'));
UPDATE subscriptions SET disabled_because = disabled_reason;
ALTER TABLE subscriptions DROP COLUMN disabled_reason;
ALTER TABLE subscriptions RENAME COLUMN disabled_because TO disabled_reason;
CREATE INDEX subscriptions_by_user ON subscriptions (institution_id, user_name, created_at, id);

ALTER TABLE outbox_events ADD COLUMN other_payloads TEXT;
ALTER TABLE events ADD COLUMN other_payloads TEXT;
ALTER TABLE deliveries ADD COLUMN cancel_reason TEXT
  CHECK (cancel_reason IN ('REVOKED', 'DELETED', 'NOT_RESUMED', 'TEST'));

UPDATE subscriptions
  SET enabled = 0, disabled_reason = 'REVOKED',
    disabled_at = (SELECT max(revoked_at) FROM api_keys k WHERE k.user_name = subscriptions.user_name)
  WHERE EXISTS (SELECT 1 FROM api_keys k WHERE k.user_name = subscriptions.user_name)
    AND NOT EXISTS (
      SELECT 1 FROM api_keys k WHERE k.user_name = subscriptions.user_name AND k.revoked_at IS NULL
    );
UPDATE deliveries
  SET state = 'CANCELLED', due_at = NULL, claim = NULL, ordering_key = NULL, cancel_reason = 'REVOKED'
  WHERE state IN ('PENDING', 'WAITING', 'HELD')
    AND subscription_id IN (SELECT id FROM subscriptions WHERE disabled_reason = 'REVOKED');

ALTER TABLE accounts ADD COLUMN institution_owned INTEGER CHECK (institution_owned IN (0, 1));
UPDATE accounts SET institution_owned = 1 WHERE customer_id = 'bank';
CREATE INDEX transactions_by_creditor_status ON transactions (institution_id, creditor_account_id, status);
`;
