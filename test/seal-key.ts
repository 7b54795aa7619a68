/** A seal key as production takes one: 32 bytes that look random. */
export const sealKeyText = "kE1x0Zq3mV7uTn5cYw2Jd8rHbL6sPfA4gQ9oXiRyWjU=";
