/** Samples of all operations, as the reference and its languages show them. */

const MAILED = "Needs the code from an e-mail that the service has sent you.";

const WAITING = "Needs the code that a program shows while it waits for its log-in to be approved.";

/** Samples of the account, its log-ins, and the service's facts about itself; and the type of a sample. */
const ACCOUNTS: Samples = {
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

type Samples = Readonly<Record<string, Sample>>;

/** Samples of reading, listing, changing and deleting a kind of object. @param noun as in `listDevices` @param one as in `getDevice` */
function objectSamples(noun: string, one: string, update: Readonly<Record<string, unknown>>, filter?: string): Samples {
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
function tokenSamples(noun: string, one: string, body: Readonly<Record<string, unknown>>): Samples {
  const id = `‹${one.toLowerCase()}Id›`;
  const argument = Object.keys(body).length > 0 ? ", ‹body›" : "";
  return {
    [`list${one}Tokens`]: { typescript: `${noun}.tokens("${id}").all()` },
    [`create${one}Token`]: { body, typescript: `${noun}.createToken("${id}"${argument})` },
    [`delete${one}Token`]: { typescript: `${noun}.deleteToken("${id}", "‹${one.toLowerCase()}TokenId›")` },
  };
}

/** Selector in the samples that read cached values, of one device or of a place. */
const SELECTOR = "Switch.on";
const SET = { value: true };

/** Samples of devices, of the places that they are in, and of events. */
const DEVICES: Samples = {
  ...objectSamples("Ecosystems", "Ecosystem", { meta: { plan: "trial" } }),
  createEcosystem: { body: { alias: "second-home" }, typescript: "ecosystems.create(‹body›)" },
  getHistorySettings: { typescript: 'ecosystems.historySettings("‹ecosystemId›")' },
  updateHistorySettings: {
    body: { rawDays: 30 },
    typescript: 'ecosystems.updateHistorySettings("‹ecosystemId›", ‹body›)',
  },
  getSink: { typescript: 'ecosystems.sink("‹ecosystemId›")', needs: "Needs an ecosystem with a sink." },
  setSink: {
    body: { url: "https://influx.example/api/v2/write?org=home&bucket=porchlight", token: "the token of InfluxDB" },
    typescript: 'ecosystems.setSink("‹ecosystemId›", ‹body›)',
  },
  testSink: { typescript: 'ecosystems.testSink("‹ecosystemId›")', needs: "Needs an ecosystem with a sink." },
  deleteSink: { typescript: 'ecosystems.deleteSink("‹ecosystemId›")', needs: "Needs an ecosystem with a sink." },
  ...objectSamples("Environments", "Environment", { meta: { floors: 2 } }, "ecosystemId"),
  createEnvironment: {
    body: { ecosystemId: "‹ecosystemId›", alias: "summer-house" },
    typescript: "environments.create(‹body›)",
  },
  listEnvironmentServices: { typescript: 'environments.services("‹environmentId›")' },
  getEnvironmentProperties: { typescript: `environments.properties("‹environmentId›", "${SELECTOR}")` },
  setEnvironmentProperties: {
    body: SET,
    typescript: `environments.setProperties("‹environmentId›", "${SELECTOR}", true)`,
  },
  getEnvironmentHistory: {
    query: { resolution: "1h" },
    typescript: `environments.history("‹environmentId›", "${SELECTOR}", { resolution: "1h" }).page()`,
  },
  ...objectSamples("Zones", "Zone", { meta: { floor: 1 } }, "environmentId"),
  createZone: {
    body: { environmentId: "‹environmentId›", alias: "reading-corner", items: ["‹deviceId›"] },
    typescript: "zones.create(‹body›)",
  },
  getZoneProperties: { typescript: `zones.properties("‹zoneId›", "${SELECTOR}")` },
  setZoneProperties: { body: SET, typescript: `zones.setProperties("‹zoneId›", "${SELECTOR}", true)` },
  getZoneHistory: {
    query: { resolution: "1h" },
    typescript: `zones.history("‹zoneId›", "${SELECTOR}", { resolution: "1h" }).page()`,
  },
  ...objectSamples("Scenes", "Scene", { meta: { room: "kitchen" } }, "environmentId"),
  createScene: {
    body: {
      ...{ environmentId: "‹environmentId›", alias: "reading" },
      items: [{ target: "‹deviceId›", service: SELECTOR, value: true }],
    },
    typescript: "scenes.create(‹body›)",
  },
  captureScene: {
    body: { environmentId: "‹environmentId›", alias: "as-it-is", targets: ["‹deviceId›"] },
    typescript: "scenes.capture(‹body›)",
  },
  callScene: { body: { only: ["‹deviceId›"] }, typescript: 'scenes.call("‹sceneId›", ‹body›)' },
  ...objectSamples("Devices", "Device", { meta: { room: "kitchen" } }, "environmentId"),
  createDevice: {
    body: { environmentId: "‹environmentId›", alias: "reading-lamp", services: [{ service: "Switch" }] },
    typescript: "devices.create(‹body›)",
  },
  listDeviceServices: { typescript: 'devices.services("‹deviceId›")' },
  explainDeviceProperty: { typescript: `devices.why("‹deviceId›", "${SELECTOR}")` },
  getDeviceProperties: { typescript: `devices.properties("‹deviceId›", "${SELECTOR}")` },
  setDeviceProperties: { body: SET, typescript: `devices.set("‹deviceId›", "${SELECTOR}", true)` },
  getDeviceHistory: {
    query: { resolution: "1h" },
    typescript: `devices.history("‹deviceId›", "${SELECTOR}", { resolution: "1h" }).page()`,
  },
  getCommand: { typescript: 'commands.get("‹commandId›")' },
  listActivity: {
    query: { ecosystemId: "‹ecosystemId›", stepMinutes: "15" },
    typescript: 'activity({ ecosystemId: "‹ecosystemId›", stepMinutes: 15 }).page()',
  },
  listEventLog: {
    query: { ecosystemId: "‹ecosystemId›", order: "newest", pageSize: "20" },
    typescript: 'eventLog({ ecosystemId: "‹ecosystemId›", order: "newest" }, { pageSize: 20 }).page()',
  },
  listEvents: {
    query: { ecosystemId: "‹ecosystemId›" },
    typescript: 'for await (const event of porchlight.events({ ecosystemId: "‹ecosystemId›" })) console.log(event);',
  },
};

const CONNECTED = "Needs a hub that is connected.";
const SETUP = "Needs a connected hub with a driver that offers a setup, and a setup that has been started.";
const PAIRING = "Needs the code that a hub shows while it waits to be paired.";

const SUBJECTS: Samples = {
  ...objectSamples("Users", "User", { meta: { language: "en" } }, "ecosystemId"),
  createUser: {
    body: { key: "user-4711", ecosystemId: "‹ecosystemId›", alias: "grace" },
    typescript: "users.create(‹body›)",
  },
  listUserAccess: { typescript: 'users.access("‹userId›").all()' },
  createUserAccess: {
    body: { environmentId: "‹environmentId›" },
    typescript: 'users.grant("‹userId›", "‹environmentId›")',
  },
  deleteUserAccess: { typescript: 'users.revoke("‹userId›", "‹accessId›")' },
  ...tokenSamples("users", "User", { expiresInSeconds: 86_400 }),
  ...objectSamples("Servers", "Server", { meta: { purpose: "reports" } }, "ecosystemId"),
  createServer: { body: { ecosystemId: "‹ecosystemId›", alias: "backend" }, typescript: "servers.create(‹body›)" },
  ...tokenSamples("servers", "Server", {}),
};

const HUBS: Samples = {
  ...objectSamples("Clients", "Client", { meta: { cupboard: "hall" } }, "environmentId"),
  createClient: {
    body: { environmentId: "‹environmentId›", alias: "attic-hub" },
    typescript: "clients.create(‹body›)",
  },
  ...tokenSamples("clients", "Client", {}),
  listDrivers: { typescript: 'clients.drivers("‹clientId›")', needs: CONNECTED },
  admitDevice: { typescript: 'clients.admit("‹clientId›", "‹edgeId›")', needs: CONNECTED },
  withdrawAdmission: { typescript: 'clients.withdrawAdmission("‹clientId›", "‹edgeId›")', needs: CONNECTED },
  startSetup: {
    body: { kind: "zigbee" },
    typescript: 'clients.startSetup("‹clientId›", "zigbee")',
    needs: "Needs a connected hub with a driver that offers this kind of setup.",
  },
  getSetup: { typescript: 'clients.setup("‹clientId›", "‹setupId›")', needs: SETUP },
  cancelSetup: { typescript: 'clients.cancelSetup("‹clientId›", "‹setupId›")', needs: SETUP },
  answerSetup: {
    body: { answer: "yes" },
    typescript: 'clients.answerSetup("‹clientId›", "‹setupId›", 1, "yes")',
    needs: SETUP,
  },
  getHubStatus: { typescript: 'clients.status("‹clientId›")', needs: CONNECTED },
  checkHub: { typescript: 'clients.doctor("‹clientId›")', needs: CONNECTED },
  listHubLogs: {
    query: { minutes: "10" },
    typescript: 'clients.logs("‹clientId›", { minutes: 10 })',
    needs: CONNECTED,
  },
  restartHub: { typescript: 'clients.restart("‹clientId›")', needs: CONNECTED },
  listHubBackups: { typescript: 'clients.backups("‹clientId›")', needs: CONNECTED },
  createHubBackup: { typescript: 'clients.createBackup("‹clientId›")', needs: CONNECTED },
  createPairing: {
    body: { edgeId: "‹edgeId›", agentVersion: "0.1.0", publicKey: "‹publicKey›" },
    typescript: "pairings.begin(‹body›)",
    needs: "Needs an Ed25519 key of the hub. Agents send this request; other programs do not need it.",
  },
  pollPairing: {
    body: { deviceCode: "‹deviceCode›", signature: "‹signature›" },
    typescript: "pairings.poll(‹body›)",
    needs: "Needs the hub's key, which signs the request. Agents send this request; other programs do not need it.",
  },
  getPairing: { typescript: 'pairings.get("‹userCode›")', needs: PAIRING },
  approvePairing: {
    body: { environmentId: "‹environmentId›" },
    typescript: 'pairings.approve("‹userCode›", ‹body›)',
    needs: PAIRING,
  },
  denyPairing: { typescript: 'pairings.deny("‹userCode›")', needs: PAIRING },
};

const HOOK = '"‹webhookId›"';
const CHANGE = { description: "Lamps and switches", events: ["property.changed"] };

const WEBHOOKS: Samples = {
  ...objectSamples("Webhooks", "Webhook", CHANGE, "ecosystemId"),
  createWebhook: {
    body: { url: "https://receiver.example/porchlight", events: ["device.*"], ecosystemId: "‹ecosystemId›" },
    typescript: "webhooks.create(‹body›)",
  },
  updateWebhookByPost: { body: CHANGE, typescript: `webhooks.update(${HOOK}, ‹body›)` },
  testWebhook: { typescript: `webhooks.test(${HOOK})` },
  listWebhookDeliveries: { typescript: `webhooks.deliveries(${HOOK}).all()` },
  getWebhookDelivery: { typescript: `webhooks.delivery(${HOOK}, "‹deliveryId›")` },
  redeliverWebhookDelivery: { typescript: `webhooks.redeliver(${HOOK}, "‹deliveryId›")` },
  createWebhookReplay: {
    body: { since: "‹anHourAgo›" },
    typescript: `webhooks.replay(${HOOK}, ‹body›)`,
  },
};

/** By operation ID. */
export const SAMPLES: Samples = { ...ACCOUNTS, ...DEVICES, ...SUBJECTS, ...HUBS, ...WEBHOOKS };
