/** Accounts and their log-ins, users, servers, and the tokens of all of them. */
export { AccountChanges } from "./account-changes.ts";
export { Accounts, type AccountsDeps } from "./accounts.ts";
export { ecosystemEraser, recordsEraser } from "./erase-account.ts";
export { type Eraser, Erasures, takeTurn } from "./erasures.ts";
export type { MailOutbox } from "./email-templates.ts";
export { LogIns, loginEntry } from "./log-ins.ts";
export { PasswordResets } from "./password-resets.ts";
export { Sessions } from "./sessions.ts";
export { KnownBrowsers, LogInLimiter } from "./log-in-limiter.ts";
export {
  argon2Hasher,
  type PasswordHasher,
  type PasswordProofDeps,
  Passwords,
  requirePassword,
} from "./passwords.ts";
export { AddressVerification, isAddressVerified } from "./address-verification.ts";
export { GrantEnder } from "./grant-ender.ts";
export { Grants } from "./grants.ts";
export { registerHolder } from "./holder.ts";
export { Servers, serverResource } from "./servers.ts";
export { type SubjectKind, SubjectTokens, tokenResource } from "./subject-tokens.ts";
export { accessEntryResource, UserAccess } from "./user-access.ts";
export { Users, userResource } from "./users.ts";
