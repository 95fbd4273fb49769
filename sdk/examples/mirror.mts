/** Keeps all current values of an environment in memory: a snapshot first, then every change. `node mirror.mts ENVIRONMENT`; Ctrl-C ends it. */
import { Porchlight, type StreamItem } from "@porchlight/sdk";

const porchlight = new Porchlight({
  baseUrl: process.env.PORCHLIGHT_API_URL ?? "http://127.0.0.1:8080",
  token: process.env.PORCHLIGHT_TOKEN,
});

type Item = Extract<StreamItem, { kind: "snapshot" }>["items"][number];
const values = new Map<string, unknown>();
const keyOf = ({ deviceId, service, index, property }: Item) => `${deviceId} ${service}:${index}.${property}`;

const end = new AbortController();
process.once("SIGINT", () => end.abort());
try {
  for await (const told of porchlight.events({
    environmentId: process.argv[2],
    snapshot: true,
    signal: end.signal,
  })) {
    // After a reset a new snapshot follows: what is known from before may be wrong.
    if (told.kind === "snapshot") {
      values.clear();
      for (const item of told.items) values.set(keyOf(item), item.value);
      console.log(`${values.size} values`);
    } else if (told.kind === "event" && told.event.type === "property.changed") {
      const { item, previousValue } = told.event.data;
      values.set(keyOf(item), item.value);
      console.log(`${keyOf(item)}: ${JSON.stringify(previousValue)} -> ${JSON.stringify(item.value)}`);
    }
  }
} catch (error) {
  if (!end.signal.aborted) throw error;
}
