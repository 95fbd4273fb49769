/** Accounts and their log-ins, users, servers, and the tokens of all of them. */
export { AccountChanges } from "./account-changes.ts";
export { Accounts, type AccountsDeps, AddressVerification, isAddressVerified } from "./accounts.ts";
export type { MailOutbox } from "./email-templates.ts";
export { type Eraser, Erasures, ecosystemEraser, recordsEraser, takeTurn } from "./erasures.ts";
export { GrantEnder } from "./grant-ender.ts";
export { Grants } from "./grants.ts";
export { KnownBrowsers, LogInLimiter } from "./log-in-limiter.ts";
export { LogIns, loginEntry, Sessions } from "./log-ins.ts";
export { PasswordResets } from "./password-resets.ts";
export {
  argon2Hasher,
  type PasswordHasher,
  type PasswordProofDeps,
  Passwords,
  requirePassword,
} from "./passwords.ts";
export { Servers, serverResource } from "./servers.ts";
export { type SubjectKind, SubjectTokens, tokenResource } from "./subject-tokens.ts";
export { accessEntryResource, registerHolder, UserAccess, Users, userResource } from "./users.ts";
