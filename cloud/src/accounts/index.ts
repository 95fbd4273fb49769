/** Who can call: accounts and their log-ins, users, servers, and the tokens of all of them. */
export { AccountChanges } from "./account-changes.ts";
export { Accounts } from "./accounts.ts";
export type { MailOutbox } from "./email-templates.ts";
export { ecosystemEraser, recordsEraser } from "./erase-account.ts";
export { type Eraser, Erasures } from "./erasures.ts";
export { registerHolder } from "./holder.ts";
export { KnownBrowsers } from "./known-browsers.ts";
export { LogInLimiter } from "./log-in-limiter.ts";
export { LogIns, loginEntry } from "./log-ins.ts";
export { PasswordResets } from "./password-resets.ts";
export { argon2Hasher, type PasswordHasher, Passwords } from "./passwords.ts";
export { Servers, serverResource } from "./servers.ts";
export { Sessions } from "./sessions.ts";
export { type SubjectKind, SubjectTokens } from "./subject-tokens.ts";
export { accessEntryResource, UserAccess } from "./user-access.ts";
export { Users, userResource } from "./users.ts";
