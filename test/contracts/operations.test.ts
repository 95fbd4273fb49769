/** The client has a call for every operation of the service, and calls none that there is not. */
import { Porchlight } from "@porchlight/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ContractCloud } from "./cloud.ts";

/** For people and for machines that watch over the service, not for programs that use it. */
const NOT_THE_CLIENTS = /^GET \/(docs|healthz|readyz|metrics|$)/;

let cloud: ContractCloud;
beforeAll(async () => {
  cloud = await ContractCloud.start("SQLite");
});
afterAll(() => cloud[Symbol.asyncDispose]());

/** What another operation does too. */
const TWICE = ["POST /api/webhooks/{id}"];

/** Every call of the client, once, of an object that is called ID. */
function calls(porchlight: Porchlight): (() => Promise<unknown>)[] {
  const {
    accounts,
    account,
    ecosystems,
    environments,
    zones,
    scenes,
    devices,
    commands,
    users,
    servers,
    clients,
    pairings,
    webhooks,
    alerts,
    service,
  } = porchlight;
  const email = "a@example.com";
  const password = "long enough";
  const objects = [ecosystems, environments, zones, scenes, devices, users, servers, clients];
  return [
    () => accounts.create({ email, password }),
    () => accounts.logIn({ email, password }),
    () => accounts.beginCodeLogIn(),
    () => accounts.pollCodeLogIn("code"),
    () => accounts.verify("code"),
    () => accounts.requestPasswordReset(email),
    () => accounts.confirmPasswordReset({ code: "code", password }),
    () => accounts.sessionToken(),
    () => account.get(),
    () => account.update({ currentPassword: password }),
    () => account.delete(password),
    () => account.export.get(),
    () => account.export.start(password),
    () => account.export.download().next(),
    () => account.logIns().page(),
    () => account.endLogIn("ID"),
    () => account.grants().page(),
    () => account.codeLogIn("ID"),
    () => account.approveCodeLogIn("ID"),
    () => account.denyCodeLogIn("ID"),
    () => account.logOut(),
    () => account.token(),
    ...objects.flatMap((kind) => [
      () => kind.list().page(),
      () => kind.get("ID"),
      () => kind.update("ID", {}),
      () => kind.delete("ID"),
    ]),
    () => ecosystems.create({}),
    () => environments.create({}),
    () => zones.create({ environmentId: "ID" }),
    () => devices.create({ environmentId: "ID", services: [] }),
    () => users.create({ key: "key" }),
    () => servers.create({}),
    () => clients.create({ environmentId: "ID" }),
    ...[environments, zones].flatMap((place) => [
      () => place.properties("ID", "Switch.on"),
      () => place.setProperties("ID", "Switch.on", true),
    ]),
    () => environments.services("ID"),
    () => devices.services("ID"),
    () => devices.properties("ID", "Switch.on"),
    () => devices.why("ID", "Switch.on"),
    ...[devices, zones, environments].map((place) => () => place.history("ID", "Switch.on").page()),
    () => ecosystems.historySettings("ID"),
    () => ecosystems.updateHistorySettings("ID", { rawDays: 30 }),
    () => ecosystems.sink("ID"),
    () => ecosystems.setSink("ID", { enabled: false }),
    () => ecosystems.testSink("ID"),
    () => ecosystems.deleteSink("ID"),
    () => scenes.create({ environmentId: "ID", items: [{ target: "ID", service: "Switch.on", value: true }] }),
    () => scenes.capture({ environmentId: "ID" }),
    () => scenes.call("ID"),
    () => devices.set("ID", "Switch.on", true),
    () => commands.get("ID"),
    ...[users, servers, clients].flatMap((kind) => [
      () => kind.tokens("ID").page(),
      () => kind.createToken("ID"),
      () => kind.deleteToken("ID", "ID"),
    ]),
    () => clients.drivers("ID"),
    () => clients.admit("ID", "ID"),
    () => clients.withdrawAdmission("ID", "ID"),
    () => clients.startSetup("ID", "zigbee"),
    () => clients.setup("ID", "ID"),
    () => clients.answerSetup("ID", "ID", 1, "1234"),
    () => clients.cancelSetup("ID", "ID"),
    () => clients.status("ID"),
    () => clients.doctor("ID"),
    () => clients.logs("ID"),
    () => clients.backups("ID"),
    () => clients.createBackup("ID"),
    () => clients.restart("ID"),
    () => users.access("ID").page(),
    () => users.grant("ID", "ID"),
    () => users.revoke("ID", "ID"),
    () => pairings.begin({ edgeId: "02-00-00-00-00-01", agentVersion: "1", publicKey: "key" }),
    () => pairings.poll({ deviceCode: "code", signature: "signature" }),
    () => pairings.get("ID"),
    () => pairings.approve("ID", { environmentId: "ID" }),
    () => pairings.deny("ID"),
    () => webhooks.list().page(),
    () => webhooks.create({ url: "https://receiver.example/" }),
    () => webhooks.get("ID"),
    () => webhooks.update("ID", {}),
    () => webhooks.delete("ID"),
    () => webhooks.test("ID"),
    () => webhooks.deliveries("ID").page(),
    () => webhooks.delivery("ID", "ID"),
    () => webhooks.redeliver("ID", "ID"),
    () => webhooks.replay("ID", { since: "2026-11-05 14:03:07Z" }),
    () => alerts.list().page(),
    () => alerts.settings(),
    () => alerts.updateSettings({ email: false }),
    () => alerts.test(),
    () => service.catalogue(),
    () => service.quotas(),
    () => service.usage(),
    () => service.requests().page(),
    () => porchlight.activity().page(),
    () => service.audit().page(),
    () => service.openApi(),
    () => porchlight.eventLog().page(),
    () => devices.setAsync("ID", "Switch.on", true),
    () => beginning(porchlight),
  ];
}

/** A stream never ends by itself. */
async function beginning(porchlight: Porchlight): Promise<void> {
  const end = new AbortController();
  const first = porchlight.events({ signal: end.signal }).next();
  end.abort();
  await first.catch(() => undefined);
}

test("every operation has its call, and every call its operation", async () => {
  const called = new Set<string>();
  const fetch = async (url: string, { method }: RequestInit) => {
    const path = new URL(url).pathname.replace("/services/Switch.on", "/services/{selector}");
    called.add(
      `${method} ${path}`
        .replace("/answers/1", "/answers/{id}")
        .replace(/\/ID\/(tokens|access|deliveries|admissions|setups)\/ID(?=\/|$)/, "/{id}/$1/{id}")
        .replace(/\/ID(?=\/|$)/, "/{id}"),
    );
    return Response.json({ items: [] });
  };
  for (const call of calls(new Porchlight({ baseUrl: "http://service.example", fetch }))) await call();
  const served = cloud.operations.filter((operation) => !NOT_THE_CLIENTS.test(operation));
  const needed = (operation: string) => !TWICE.includes(operation);
  const named = served.map((operation) => operation.replaceAll(/\{(?!selector)\w+\}/g, "{id}"));
  expect([...called].sort()).toEqual(named.filter(needed).sort());
});
