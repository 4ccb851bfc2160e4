/** What the service gives as an account's currency: the three letters of ISO 4217. As text, for JSON schemas too. */
export const currencyPattern = "^[A-Z]{3}$";
