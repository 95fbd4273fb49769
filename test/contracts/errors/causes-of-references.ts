/** The errors of a reference: an unknown ID, a deleted one, one that is closed to the user; at every place of an ID. */
import type { Reply } from "@porchlight/cloud/app.fixture.ts";
import type { ErrorName } from "@porchlight/shared/kernel";
import { namedKind, type Place } from "../isolation/places.ts";
import type { Attempt } from "./attempt.ts";
import { all, type Cause, credential } from "./causes-of-requests.ts";
import type { Plenty } from "./plenty.ts";

/** The word of a kind in the names of errors. */
const WORDS: Readonly<Record<Place["kind"], string>> = {
  eco: "Ecosystem",
  env: "Environment",
  zon: "Zone",
  dev: "Device",
  usr: "User",
  srv: "Server",
  cli: "Client",
  acs: "Access Entry",
  cmd: "Command",
  whk: "Webhook",
  dlv: "Delivery",
  scn: "Scene",
  item: "Zone Item",
  target: "Scene Item",
  usrTok: "Token",
  srvTok: "Token",
  cliTok: "Token",
  login: "Token",
};
/** What stands in an environment, and can be closed to a user. */
const IN_ENVIRONMENTS: readonly Place["kind"][] = ["env", "zon", "scn", "dev", "cli", "cmd", "item", "target"];

const MALFORMED = "nonsense";

/** At every place of that word. */
function everywhere(to: Attempt<Plenty>, word: string, text: (place: Place) => string): Promise<readonly Reply[]> {
  const places = to.places.filter(({ kind }) => WORDS[kind] === word);
  return all(...places.map((place) => to.send({}, { place, text: text(place) })));
}

const invalid = (word: string): Cause => {
  return (to) => everywhere(to, word, () => MALFORMED);
};
const notFound = (word: string): Cause => {
  return (to) => everywhere(to, word, ({ kind }) => to.stage.gone[namedKind(kind)]);
};

const words = [...new Set(Object.values(WORDS))];
// Every kind of object has these two names.
const named = (of: (word: string) => Cause, suffix: string) =>
  Object.fromEntries(words.map((word) => [`${word} ${suffix}` as ErrorName, of(word)]));

export const CAUSES_OF_REFERENCES: Partial<Readonly<Record<ErrorName, Cause>>> = {
  ...named(invalid, "Invalid"),
  ...named(notFound, "Not Found"),
  /** As a credential it is revoked or invalid; as a parameter it names a token. */
  "Token Invalid": (to) =>
    to.listed.status === 401
      ? all(to.send({ token: credential(to.stage.revoked, to.kind) }), to.send({ token: MALFORMED }))
      : everywhere(to, "Token", () => MALFORMED),
  "Access Denied": (to) => {
    const closable = to.places.filter(({ kind }) => IN_ENVIRONMENTS.includes(kind));
    // Nothing else can be closed: then the first name of a reference is.
    const text = ({ kind }: Place) =>
      closable.length > 0 ? to.stage.closed[namedKind(kind)] : `${to.stage.closed.env};${MALFORMED}`;
    const places = closable.length > 0 ? closable : to.places;
    return all(...places.map((place) => to.send({}, { place, text: text(place) })));
  },
  "Environment Missing": (to) =>
    all(...[undefined, null, ""].map((environmentId) => to.send({ body: { ...to.body(), environmentId } }))),
  "Ecosystem Missing": (to) =>
    to.route.startsWith("GET ")
      ? all(to.send())
      : all(...[undefined, null, ""].map((ecosystemId) => to.send({ body: { ...to.body(), ecosystemId } }))),
};
