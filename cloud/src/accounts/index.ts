/** Who can call: accounts and their log-ins, users, servers, and the tokens of all of them. */
export { Accounts } from "./accounts.ts";
export { LogIns, loginEntry } from "./log-ins.ts";
export { argon2Hasher, type PasswordHasher, Passwords } from "./passwords.ts";
export { Servers, serverResource } from "./servers.ts";
export { type SubjectKind, SubjectTokens } from "./subject-tokens.ts";
export { accessEntryResource, UserAccess } from "./user-access.ts";
export { Users, userResource } from "./users.ts";
