/** Accounts and their log-ins, users, servers, and the tokens of all of them. */
export { AccountChanges } from "./account-changes.ts";
export { Accounts, type AccountsDeps } from "./accounts.ts";
export { ecosystemEraser, recordsEraser } from "./erase-account.ts";
export { type Eraser, Erasures, takeTurn } from "./erasures.ts";
export type { MailOutbox } from "./log-ins/email-templates.ts";
export { LogIns, loginEntry } from "./log-ins/log-ins.ts";
export { PasswordResets } from "./log-ins/password-resets.ts";
export { Sessions } from "./log-ins/sessions.ts";
export { KnownBrowsers, LogInLimiter } from "./passwords/log-in-limiter.ts";
export {
  argon2Hasher,
  type PasswordHasher,
  type PasswordProofDeps,
  Passwords,
  requirePassword,
} from "./passwords/passwords.ts";
export { AddressVerification, isAddressVerified } from "./recovery/address-verification.ts";
export { GrantEnder } from "./recovery/grant-ender.ts";
export { Grants } from "./recovery/grants.ts";
export { registerHolder } from "./subjects/holder.ts";
export { Servers, serverResource } from "./subjects/servers.ts";
export { type SubjectKind, SubjectTokens, tokenResource } from "./subjects/subject-tokens.ts";
export { accessEntryResource, UserAccess } from "./subjects/user-access.ts";
export { Users, userResource } from "./subjects/users.ts";
