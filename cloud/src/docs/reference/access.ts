/** Samples of access: users, servers, hubs and their pairing; and of webhooks. */
import { objectSamples, type Samples, tokenSamples } from "./accounts.ts";

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

export const ACCESS: Samples = { ...SUBJECTS, ...HUBS, ...WEBHOOKS };
