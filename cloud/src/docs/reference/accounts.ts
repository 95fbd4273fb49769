/** Samples of the account, its log-ins, and the service's facts about itself; and the type of a sample. */

const MAILED = "Needs the code from an e-mail that the service has sent you.";

const WAITING = "Needs the code that a program shows while it waits for its log-in to be approved.";

export const ACCOUNTS: Samples = {
  createAccount: {
    body: { email: "ada@example.com", password: "a sentence nobody else knows", name: "Ada" },
    typescript: "accounts.create(‹body›)",
  },
  loginAccount: { body: { email: "‹email›", password: "‹password›" }, typescript: "accounts.logIn(‹body›)" },
  logoutAccount: { typescript: "account.logOut()" },
  verifyAccount: { body: { code: "‹code›" }, typescript: 'accounts.verify("‹code›")', needs: MAILED },
  createAccountPasswordReset: {
    body: { email: "‹email›" },
    typescript: 'accounts.requestPasswordReset("‹email›")',
  },
  confirmAccountPasswordReset: {
    body: { code: "‹code›", password: "another sentence nobody knows" },
    typescript: "accounts.confirmPasswordReset(‹body›)",
    needs: MAILED,
  },
  getAccount: { typescript: "account.get()" },
  updateAccount: { body: { name: "Ada", currentPassword: "‹password›" }, typescript: "account.update(‹body›)" },
  deleteAccount: { body: { currentPassword: "‹password›" }, typescript: 'account.delete("‹password›")' },
  startAccountExport: { body: { currentPassword: "‹password›" }, typescript: 'account.export.start("‹password›")' },
  getAccountExport: { typescript: "account.export.get()" },
  downloadAccountExport: {
    typescript: `for await (const bytes of porchlight.account.export.download()) {
  console.log(bytes.length);
}`,
    needs: "Needs an export that is ready. The answer is a zip file.",
  },
  listAccountTokens: { typescript: "account.logIns().all()" },
  listAccountGrants: {
    query: { since: "2026-11-05 14:03:07Z" },
    typescript: 'account.grants({ since: "2026-11-05 14:03:07Z" }).all()',
  },
  deleteAccountToken: { typescript: 'account.endLogIn("‹loginId›")' },
  createSessionToken: {
    typescript: "accounts.sessionToken()",
    needs: "Needs a session cookie, which only the pages of the service get.",
  },
  createCodeLogIn: { typescript: "accounts.beginCodeLogIn()" },
  pollCodeLogIn: {
    body: { deviceCode: "‹deviceCode›" },
    typescript: 'accounts.pollCodeLogIn("‹deviceCode›")',
    needs: "Needs the `deviceCode` of a log-in by code that somebody has approved.",
  },
  getCodeLogIn: { typescript: 'account.codeLogIn("‹userCode›")', needs: WAITING },
  approveCodeLogIn: { typescript: 'account.approveCodeLogIn("‹userCode›")', needs: WAITING },
  denyCodeLogIn: { typescript: 'account.denyCodeLogIn("‹userCode›")', needs: WAITING },
  listAlerts: {
    query: { ecosystemId: "‹ecosystemId›", state: "open" },
    typescript: 'alerts.list({ ecosystemId: "‹ecosystemId›", state: "open" }).all()',
  },
  getAlertSettings: { typescript: "alerts.settings()" },
  updateAlertSettings: {
    body: { hubOffline: { enabled: true, minutes: 15 } },
    typescript: "alerts.updateSettings(‹body›)",
  },
  testAlerts: { body: { ecosystemId: "‹ecosystemId›" }, typescript: "alerts.test(‹body›)" },
  getToken: { typescript: "account.token()" },
  listServices: { typescript: "service.catalogue()" },
  listQuotas: { typescript: "service.quotas()" },
  getUsage: { typescript: "service.usage()" },
  listRequests: {
    query: { order: "newest", pageSize: "20" },
    typescript: 'service.requests({ order: "newest" }, { pageSize: 20 }).page()',
  },
  listAudit: {
    query: { order: "newest", pageSize: "20" },
    typescript: 'service.audit({ order: "newest" }, { pageSize: 20 }).page()',
  },
  getHealthz: {},
  getReadyz: {},
  getOpenapi: { typescript: "service.openApi()" },
};

/**
 * The sample of an operation: a request that can be sent once its placeholders are replaced. `‹name›` stands for a value of the
 * reader's own: the portal inserts it, and elsewhere it is shown as `NAME`.
 */
export interface Sample {
  /** Query parameters. */
  readonly query?: Readonly<Record<string, string>>;
  /** Request headers beyond `authorization` and `content-type`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /**
   * The call of the TypeScript client, after `porchlight.`; `‹body›` is the body. Undefined: the client has no call for it. A text
   * that begins with `for await` is a statement.
   */
  readonly typescript?: string;
  /** Precondition of success, as a sentence. */
  readonly needs?: string;
}

export type Samples = Readonly<Record<string, Sample>>;

/** Samples of reading, listing, changing and deleting a kind of object. @param noun as in `listDevices` @param one as in `getDevice` */
export function objectSamples(
  noun: string,
  one: string,
  update: Readonly<Record<string, unknown>>,
  filter?: string,
): Samples {
  const member = noun.charAt(0).toLowerCase() + noun.slice(1);
  const id = `‹${one.charAt(0).toLowerCase()}${one.slice(1)}Id›`;
  const list = filter ? `{ ${filter}: "‹${filter}›" }` : "";
  return {
    [`list${noun}`]: {
      ...(filter && { query: { [filter]: `‹${filter}›` } }),
      typescript: `${member}.list(${list}).all()`,
    },
    [`get${one}`]: { typescript: `${member}.get("${id}")` },
    [`update${one}`]: { body: update, typescript: `${member}.update("${id}", ‹body›)` },
    [`delete${one}`]: { typescript: `${member}.delete("${id}")` },
  };
}

/** Samples of the tokens of a kind of object. @param one as in `createUserToken` */
export function tokenSamples(noun: string, one: string, body: Readonly<Record<string, unknown>>): Samples {
  const id = `‹${one.toLowerCase()}Id›`;
  const argument = Object.keys(body).length > 0 ? ", ‹body›" : "";
  return {
    [`list${one}Tokens`]: { typescript: `${noun}.tokens("${id}").all()` },
    [`create${one}Token`]: { body, typescript: `${noun}.createToken("${id}"${argument})` },
    [`delete${one}Token`]: { typescript: `${noun}.deleteToken("${id}", "‹${one.toLowerCase()}TokenId›")` },
  };
}
