// The demonstration's account, tokens, hub and aliases: made at the first run, kept in its data folder, and reused.
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const EMAIL = "demo@porchlight.example";

/** Makes the missing parts of account, tokens and hub, which `pair` lets in. Gives all that `npm start` prints of them. */
export async function prepareAccount(api, folder, pair) {
  const file = join(folder, "demo.json");
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const save = (more) => {
    Object.assign(kept, more);
    writeFileSync(`${file}.new`, JSON.stringify(kept, null, 2), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };

  if (!kept.email) save({ email: EMAIL, password: randomBytes(12).toString("base64url") });
  const { email, password } = kept;
  if (!kept.accountId) await signUp(api, { email, password, name: "Demonstration" });
  if (!(await works(api, kept.accountToken))) {
    const login = await api.call("POST", "/api/accounts/login", { body: { email, password, keepMeLoggedIn: true } });
    save({ accountToken: login.token });
  }
  const token = kept.accountToken;
  await verify(api, join(folder, "cloud", "mail"), { email, password, token });
  if (!kept.accountId) save(await accountOf(api, token));
  if (!(await works(api, kept.serverToken))) {
    const server = await api.call("POST", "/api/servers", { token, body: {} });
    const [made] = await api.list(`/api/servers/${server.id}/tokens`, token);
    save({ serverToken: made.token });
  }
  if (!(await works(api, kept.userToken))) {
    const made = await api.call("POST", `/api/users/${kept.userId}/tokens`, { token });
    save({ userToken: made.token });
  }
  save({ clientId: await pair(kept) });
  return kept;
}

/** Makes the account, unless a run that was interrupted has made it. */
async function signUp(api, body) {
  try {
    await api.call("POST", "/api/accounts", { body });
  } catch (error) {
    if (error.title !== "Email Exists") throw error;
  }
}

/** Verifies the account's address with the code that lies in the folder of e-mails, in a session of the account, so that what it has stays. */
async function verify(api, mail, { email, password, token }) {
  // With SMTP there is no such folder, and the codes go to an unused address.
  if (process.env.PORCHLIGHT_SMTP) return;
  const isVerified = async () => (await api.call("GET", "/api/account", { token })).emailVerified;
  for (let waited = 0; !(await isVerified()); waited += 100) {
    if (waited >= 10_000) throw new Error(`The e-mail with the code for ${email} is not in ${mail}.`);
    const code = newestCode(mail, email);
    if (await isTaken(api, token, code)) return;
    // The code of an older demonstration has expired.
    if (waited === 1_000) await api.call("PUT", "/api/account", { token, body: { email, currentPassword: password } });
    await sleep(100);
  }
}

async function isTaken(api, token, code) {
  if (code === "") return false;
  try {
    await api.call("POST", "/api/accounts/verify", { token, body: { code } });
    return true;
  } catch (error) {
    if (error.title === "Reset Code Invalid") return false;
    throw error;
  }
}

/** The code of the newest e-mail that asks to verify the address; "" without one. */
function newestCode(mail, email) {
  const names = existsSync(mail) ? readdirSync(mail).filter((name) => /^[^.].*\.eml$/.test(name)) : [];
  const letters = names.sort().map((name) => readFileSync(join(mail, name), "utf8"));
  const letter = letters.findLast((text) => text.includes(`To: ${email}`) && text.includes("/verify?code="));
  return /^code: (\S+)$/m.exec(letter ?? "")?.[1] ?? "";
}

/** The IDs of an account and of its objects. */
async function accountOf(api, token) {
  const { id: accountId } = await api.call("GET", "/api/account", { token });
  const [ecosystem] = await api.list("/api/ecosystems", token);
  const [environment] = await api.list("/api/environments", token);
  const [user] = await api.list("/api/users", token);
  return { accountId, ecosystemId: ecosystem.id, environmentId: environment.id, userId: user.id };
}

/** Waits until the hub and all its devices are online, and gives each device its alias. */
export async function prepareDevices(api, account, expected, aliases, sleep) {
  const token = account.accountToken;
  const path = `/api/devices?environmentId=${account.environmentId}`;
  let devices = [];
  for (let waited = 0; waited < 60_000; waited += 200) {
    devices = await api.list(path, token);
    const online = new Map(
      devices.filter((device) => device.connection?.state === "online").map((device) => [device.edgeId, device.id]),
    );
    const ids = expected.map(({ edgeId }) => online.get(edgeId));
    if (!ids.includes(undefined) && (await areLive(api, account, ids))) break;
    await sleep(200);
  }
  const found = [];
  for (const { edgeId, link } of expected) {
    const device = devices.find((candidate) => candidate.edgeId === edgeId);
    const alias = aliases[edgeId];
    if (!device) throw new Error(`The simulated device ${edgeId} (${alias}) has not come online within a minute.`);
    if (!device.alias) await api.call("PUT", `/api/devices/${device.id}`, { token, body: { alias } });
    found.push({ id: device.id, edgeId, alias: device.alias ?? alias, link });
  }
  const client = await api.call("GET", `/api/clients/${account.clientId}`, { token });
  return { devices: found, hub: { clientId: client.id, edgeId: client.edgeId } };
}

/** Whether the hub has those devices on its lines by now: for a while after its start it counts on all that it had. */
async function areLive(api, { environmentId, accountToken: token }, ids) {
  const path = `/api/environments/${environmentId}/services/Identify.active?refresh=true`;
  const { failures = [] } = await api.call("GET", path, { token });
  return !failures.some(({ deviceId }) => ids.includes(deviceId));
}

async function works(api, token) {
  if (!token) return false;
  try {
    await api.call("GET", "/api/token", { token });
    return true;
  } catch (error) {
    if (error.status === 401) return false;
    throw error;
  }
}
