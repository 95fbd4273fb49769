/** What the rules of single routes refuse. */
import { emailTo } from "@porchlight/cloud/mail/emails.fixture.ts";
import type { ErrorName } from "@porchlight/shared/kernel";
import { aliasOf, SILENT_SINK } from "../isolation/belongings.ts";
import type { Attempt } from "./attempt.ts";
import { all, type Cause, credential } from "./causes-of-requests.ts";
import type { Plenty } from "./plenty.ts";

const isWrite = ({ route }: Attempt<Plenty>) => route.startsWith("PUT ");
const isWhy = ({ route }: Attempt<Plenty>) => route.endsWith("/why");
const isAccount = ({ route }: Attempt<Plenty>) => route.endsWith(" /api/account");
/** No address, not `https`, not public, with credentials, with a fragment, no text. */
const CALLBACKS = [
  ...["receiver", "http://receiver.example/", "https://10.0.0.1/", "https://[::1]/", "https://a:b@receiver.example/"],
  ...["https://receiver.example/#here", 5],
];
const weak = ["short", "aaaaaaaaaaaaaaaa"];

/** A selector: to be set, to be explained, or to be read from the devices. */
const selecting = (to: Attempt<Plenty>, selector: string) =>
  isOfScene(to) ? setting(to, selector) : asking(to, selector);
/** The past and the reason of a value are not asked of the devices. */
const isReading = (to: Attempt<Plenty>) => !isWrite(to) && !isWhy(to) && !to.route.endsWith("/history");
const asking = (to: Attempt<Plenty>, selector: string) =>
  to.send({ params: { selector }, ...(isReading(to) && { query: "refresh=true" }) });

/** What a scene is to set. */
const isOfScene = ({ route }: Attempt<Plenty>) => route.includes(" /api/scenes");
const setting = (to: Attempt<Plenty>, service: string, value: unknown = true, target = to.stage.own.dev) =>
  to.send({ body: { ...to.body(), items: [{ target, service, value }] } });
/** All devices of the scene are in the cloud, where no hub is. */
const TRIGGERS = [
  { kind: "time", at: "07:30" },
  { kind: "sun", event: "sunset", offsetMinutes: -30, days: ["sat"] },
];

/** What a hub answers about itself and its drivers. */
export const REFUSED_BY_HUB: Cause = (to) =>
  all(to.stage.hubs.refusing(to.listed.error, (id) => to.send({ params: { id } })));
const OF_HUB = / \/api\/clients\/:id\/(?:drivers|admissions|setups|status|doctor|logs|backups|restart)/;
const isOfHub = ({ route }: Attempt<Plenty>) => OF_HUB.test(route);

/** A property of a device behind a hub, or the hub itself. */
const failing: Cause = (to) => (isOfHub(to) ? REFUSED_BY_HUB(to) : failingProperty(to));
const failingProperty: Cause = (to) =>
  all(
    to.stage.hubs.failing(to.listed.error, (id) => {
      const headers = { prefer: "wait=1" };
      const params = { id, selector: "LightColor.hue" };
      return to.send(
        isWrite(to)
          ? { params, headers, body: { value: to.count() % 360 } }
          : { params, headers, query: "refresh=true" },
      );
    }),
  );

/** An edgeId that is none; elsewhere a device is named by its ID. */
export const NO_EDGE_ID: Cause = (to) => all(to.send({ params: { edgeId: "front-door" } }));

export const CAUSES_OF_ROUTES: Partial<Readonly<Record<ErrorName, Cause>>> = {
  "Alias Invalid": (to) =>
    all(...["a;b", "", " a", "x".repeat(129), 5].map((alias) => to.send({ body: { ...to.body(), alias } }))),
  "Alias Exists": (to) => {
    const ofEcosystem = to.route.includes("/api/ecosystems");
    const alias = ofEcosystem ? to.stage.otherEcosystem : `${aliasOf("hall", "zon").split(" ")[0]} outer`;
    return all(to.send({ body: { ...to.body(), alias } }));
  },
  "Last Ecosystem Required": (to) => {
    const { ecosystemId, tokens } = to.stage.lone;
    return all(to.send({ params: { id: ecosystemId }, token: credential(tokens, to.kind) }));
  },
  // Nothing was exported of that account.
  "Export Not Found": (to) => all(to.send({ token: credential(to.stage.lone.tokens, to.kind) })),
  "Sink Not Found": async (to) => {
    const { cloud, home, own } = to.stage;
    const path = `/api/ecosystems/${own.eco}/sink`;
    await cloud.call("DELETE", path, { token: home.token });
    const tried = await all(to.send({}));
    await cloud.good("PUT", path, { token: home.token, body: SILENT_SINK });
    return tried;
  },
  "Account User Required": (to) => all(to.send({ params: { id: to.stage.home.userId } })),
  "User Key Missing": (to) => all(...[undefined, null, ""].map((key) => to.send({ body: { ...to.body(), key } }))),
  "User Key Exists": (to) => all(to.send({ body: { ...to.body(), key: to.stage.home.id } })),

  "Scene Trigger Invalid": (to) =>
    all(...TRIGGERS.map((trigger) => to.send({ body: { ...to.body(), triggers: [trigger] } }))),
  "Service Not Found": (to) => all(selecting(to, "Toaster.on"), selecting(to, "Switch:7.on"), selecting(to, "a.b.c")),
  "Service Property Invalid": (to) =>
    all(selecting(to, "Switch.weight"), ...(isWrite(to) || isWhy(to) ? [selecting(to, "Switch")] : [])),
  "Property Not Writable": (to) =>
    isOfScene(to)
      ? all(setting(to, "Temperature.celsius", 20, to.stage.thermometer))
      : all(to.send({ params: { id: to.stage.thermometer, selector: "Temperature.celsius" }, body: { value: 20 } })),
  "Property Value Invalid": (to) => {
    if (isOfScene(to)) return all(setting(to, "Switch.on", "purple"), setting(to, "Switch.on", null));
    if (isWrite(to)) return all(to.send({ body: { value: "purple" } }), to.send({ body: { value: null } }));
    const services = [{ service: "Switch", properties: [{ property: "on", value: "purple" }] }];
    return all(to.send({ body: { ...to.body(), services } }));
  },
  "Hub Offline": failing,
  "Hub Timeout": failing,
  "Device Unreachable": failing,
  "Device Rejected": failing,
  "Hub Outdated": REFUSED_BY_HUB,
  "Hub Rejected": REFUSED_BY_HUB,
  "Setup Kind Invalid": REFUSED_BY_HUB,
  "Setup Not Found": REFUSED_BY_HUB,
  "Setup Answer Invalid": async (to) => [
    ...(await REFUSED_BY_HUB(to)),
    ...(await all(to.send({ params: { number: "first" } }))),
  ],
  "Setup In Use": REFUSED_BY_HUB,

  "Webhook Callback Missing": (to) => {
    const absent = to.route.endsWith("/:id") ? [] : [undefined];
    return all(...[...absent, null, ""].map((url) => to.send({ body: { ...to.body(), url } })));
  },
  "Webhook Callback Invalid": (to) => all(...CALLBACKS.map((url) => to.send({ body: { ...to.body(), url } }))),
  "Webhook Events Invalid": (to) =>
    all(...[["no.such.type"], ["device"], "*", [5], []].map((events) => to.send({ body: { ...to.body(), events } }))),

  "Email Invalid": (to) => {
    const emails = ["POST /api/accounts", "PUT /api/account"].includes(to.route) ? ["no address", 5] : [5, []];
    return all(...emails.map((email) => to.send({ body: { ...to.body(), email } })));
  },
  "Email Exists": (to) => {
    const email = isAccount(to) ? to.stage.lone.email : to.stage.home.email;
    return all(to.send({ body: { ...to.body(), email: email.toUpperCase() } }));
  },
  "Password Too Weak": async (to) => {
    const code = to.route.endsWith("/confirm") ? { code: await resetCode(to) } : {};
    return all(...weak.map((password) => to.send({ body: { ...to.body(), ...code, password } })));
  },
  "Password Incorrect": (to) => all(to.send({ body: { ...to.body(), currentPassword: "another horse battery" } })),
  "Login Failed": (to) =>
    all(
      to.send({ body: { ...to.body(), password: "another horse battery" } }),
      to.send({ body: { ...to.body(), email: "nobody@example.com" } }),
    ),
  "Reset Code Invalid": (to) =>
    all(...["nonsense", "", 5].slice(0, 1).map((code) => to.send({ body: { ...to.body(), code } }))),
};

/** The code of a letter that was asked for. */
async function resetCode({ stage: { cloud, home } }: Attempt<Plenty>): Promise<string> {
  const { email } = home;
  await cloud.good("POST", "/api/accounts/password-reset", { body: { email } });
  const { code } = await emailTo(cloud.folder, email, 2);
  return code ?? "";
}

/** Of the one route that reads the cookie. */
export const CAUSES_OF_THE_COOKIE: Partial<Readonly<Record<ErrorName, Cause>>> = {
  "Token Missing": (to) => all(to.send({ headers: SAME_PAGE })),
  "Token Invalid": (to) => all(to.send({ headers: { ...SAME_PAGE, cookie: "porchlight=nonsense" } })),
  "Token Expired": (to) => all(to.send({ headers: { ...SAME_PAGE, cookie: to.stage.cookies.expired } })),
  "Access Denied": (to) =>
    all(
      to.send({ headers: { cookie: to.stage.cookies.good } }),
      to.send({ headers: { cookie: to.stage.cookies.good, origin: "https://elsewhere.example" } }),
    ),
};
const SAME_PAGE = { "sec-fetch-site": "same-origin" };
