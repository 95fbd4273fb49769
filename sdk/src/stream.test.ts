/** An event stream over real connections that break: against a small server that speaks the contract and does as the test says. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { seededRandom, systemClock, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { StreamItem, StreamOptions } from "./event.ts";
import { Porchlight } from "./porchlight.ts";

type Reaction = (response: ServerResponse, request: IncomingMessage) => void;

let reactions: Reaction[];
let requests: { readonly query: string; readonly after: string | undefined }[];
let connected: () => void;
let baseUrl: string;
const server = createServer((request, response) => {
  const header = request.headers["last-event-id"];
  requests.push({
    query: new URL(request.url ?? "", "http://x").search,
    after: header === undefined ? undefined : String(header),
  });
  const react = reactions.shift();
  if (react) react(response, request);
  connected();
});

beforeEach(async () => {
  reactions = [];
  requests = [];
  connected = () => undefined;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  return new Promise<void>((resolve) => server.close(() => resolve()));
});

/** Without waits between connections, unless a clock is given. */
function stream(options: StreamOptions = {}, clock = systemClock) {
  const random = { ...seededRandom(1), fraction: () => 0 };
  return new Porchlight({ baseUrl, token: "plt_usr_x" }, { clock, random }).events(options);
}

const event = (sequence: number, type = "property.changed") =>
  `id: ${sequence}\nevent: ${type}\ndata: ${JSON.stringify({ sequence, type, data: "Küche" })}\n\n`;

/** Begins a stream, says this, and goes on to say more or ends. */
function says(...texts: (string | Uint8Array)[]): Reaction {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const text of texts) response.write(text);
  };
}
const breaksAfter =
  (...texts: string[]): Reaction =>
  (response) => {
    says(...texts)(response, response.req);
    // What was written is on its way before the connection goes.
    setImmediate(() => response.destroy());
  };
const refuses =
  (title: string, status: number): Reaction =>
  (response) => {
    response.writeHead(status, { "content-type": "application/problem+json", "retry-after": "0" });
    response.end(JSON.stringify({ type: "x", title, status, detail: "It is so.", instance: "1" }));
  };

const received = (item: StreamItem) => (item.kind === "event" ? item.event.sequence : item.kind);

async function first(count: number, items: AsyncGenerator<StreamItem>): Promise<(number | string)[]> {
  const seen = [];
  for await (const item of items) if (seen.push(received(item)) === count) break;
  return seen;
}

test("events come as they happen, and comments are none", async () => {
  reactions = [says(": hello\n\n", event(7), ": still here\n\n", event(8))];
  expect(await first(2, stream({ environmentId: "env_1", types: ["property.*", "device.online"] }))).toEqual([7, 8]);
  expect(requests).toEqual([{ query: "?environmentId=env_1&types=property.*%2Cdevice.online", after: undefined }]);
});

test("an event comes whole, however its bytes were cut", async () => {
  const bytes = new TextEncoder().encode(event(7));
  const cut = bytes.indexOf(0xc3) + 1;
  reactions = [says(bytes.subarray(0, cut), bytes.subarray(cut))];
  const { value } = await stream().next();
  expect(value).toMatchObject({ kind: "event", event: { sequence: 7, data: "Küche" } });
});

test("a broken connection resumes after the last event, without a gap or a repeat", async () => {
  reactions = [breaksAfter(event(7), event(8)), breaksAfter(), says(event(8), event(9), event(10))];
  expect(await first(4, stream())).toEqual([7, 8, 9, 10]);
  expect(requests.map(({ after }) => after)).toEqual([undefined, "8", "8"]);
});

test("the caller is notified when a connection is made and when it is lost", async () => {
  reactions = [breaksAfter(event(7)), refuses("Service Unavailable", 503), says(event(8))];
  const received: string[] = [];
  const onConnection: StreamOptions["onConnection"] = (now) =>
    void received.push(now.state === "lost" ? `lost: ${now.cause?.name} ${now.nextTryMs}` : now.state);
  expect(await first(2, stream({ onConnection }))).toEqual([7, 8]);
  expect(received).toEqual(["connected", "lost: Connection Failed 0", "lost: Service Unavailable 0", "connected"]);
});

test("a stream that is cut off in an event gets that event again, and once", async () => {
  reactions = [breaksAfter(event(7), event(8).slice(0, 30)), says(event(8))];
  expect(await first(2, stream({ after: 6 }))).toEqual([7, 8]);
  expect(requests.map(({ after }) => after)).toEqual(["6", "7"]);
});

test("a service that stops and starts is found again", async () => {
  reactions = [refuses("Service Unavailable", 503), refuses("Rate Limit Exceeded", 429), says(event(1))];
  expect(await first(1, stream())).toEqual([1]);
  expect(requests).toHaveLength(3);
});

test("a stream begins with a snapshot, and resumes from where it stands without another", async () => {
  const snapshot = `event: snapshot\ndata: ${JSON.stringify({ sequence: 5, items: [] })}\n\n`;
  reactions = [breaksAfter(snapshot), says(event(5), event(6))];
  expect(await first(2, stream({ snapshot: true }))).toEqual(["snapshot", 6]);
  expect(requests).toEqual([
    { query: "?snapshot=true", after: undefined },
    { query: "", after: "5" },
  ]);
});

test("events that are no longer kept cause a reset, and a new snapshot comes if one was asked for", async () => {
  const snapshot = (sequence: number) => `event: snapshot\ndata: ${JSON.stringify({ sequence, items: [] })}\n\n`;
  const reset = "event: reset\ndata: {}\n\n";
  reactions = [breaksAfter(snapshot(5)), says(reset), says(snapshot(90), event(91))];
  expect(await first(4, stream({ snapshot: true }))).toEqual(["snapshot", "reset", "snapshot", 91]);
  expect(requests.map(({ query, after }) => `${query} ${after}`)).toEqual([
    "?snapshot=true undefined",
    " 5",
    "?snapshot=true undefined",
  ]);
  reactions = [says(reset, event(3))];
  expect(await first(2, stream({ after: 80 }))).toEqual(["reset", 3]);
});

test("a connection that breaks before its first event resumes where the stream began", async () => {
  reactions = [
    breaksAfter(": here\nid: 6\n\n"),
    breaksAfter(": here\nid: 6\n\n", ": here\nid: 9\n\n"),
    says(event(10)),
  ];
  expect(await first(1, stream({ types: ["zone.*"] }))).toEqual([10]);
  expect(requests.map(({ after }) => after)).toEqual([undefined, "6", "9"]);
});

test("an empty log has a position too", async () => {
  reactions = [breaksAfter("id: 0\n\n"), says(event(1))];
  expect(await first(1, stream())).toEqual([1]);
  expect(requests.map(({ after }) => after)).toEqual([undefined, "0"]);
});

test("a connection that breaks right after a reset resumes after the reset", async () => {
  const reset = "id: 90\nevent: reset\ndata: {}\n\n";
  reactions = [breaksAfter(": here\n\n", reset), says(event(91))];
  expect(await first(2, stream({ after: 5 }))).toEqual(["reset", 91]);
  expect(requests.map(({ after }) => after)).toEqual(["5", "90"]);
});

test("no event is left out between a position or a reset and the snapshot after it", async () => {
  const snapshot = `id: 90\nevent: snapshot\ndata: ${JSON.stringify({ sequence: 92, items: [] })}\n\n`;
  reactions = [says("id: 90\nevent: reset\ndata: {}\n\n"), breaksAfter(snapshot), says(event(91), event(93))];
  expect(await first(4, stream({ after: 5, snapshot: true }))).toEqual(["reset", "snapshot", 91, 93]);
  expect(requests.map(({ query, after }) => `${query} ${after}`)).toEqual([
    "?snapshot=true 5",
    "?snapshot=true 90",
    " 90",
  ]);
  requests = [];
  reactions = [breaksAfter("id: 6\n\n"), says(snapshot, event(91))];
  expect(await first(2, stream({ snapshot: true }))).toEqual(["snapshot", 91]);
  expect(requests[1]).toEqual({ query: "?snapshot=true", after: "6" });
});

test("a service that refuses is not asked again", async () => {
  reactions = [refuses("Token Expired", 401)];
  await expect(first(1, stream())).rejects.toMatchObject({ name: "Token Expired", status: 401 });
  expect(requests).toHaveLength(1);
});

test("a connection that falls silent is left for another", async () => {
  const clock = new VirtualClock();
  const goQuiet = async () => {
    await clock.advance(44_999);
    expect(requests).toHaveLength(1);
    await clock.advance(1);
  };
  let quiet: Promise<void> | undefined;
  connected = () => {
    quiet ??= goQuiet();
  };
  reactions = [says(), says(event(2))];
  const events = stream({ after: 1 }, clock);
  expect(await events.next()).toMatchObject({ value: { event: { sequence: 2 } } });
  await quiet;
  await events.return(undefined);
});

test("a caller that leaves the loop, or aborts, ends the connection", async () => {
  const closed = new Promise<void>((resolve) => {
    const ends: Reaction = (response, request) => {
      response.on("close", resolve);
      says(event(1))(response, request);
    };
    reactions = [ends];
  });
  expect(await first(1, stream())).toEqual([1]);
  await closed;
  const abort = new AbortController();
  reactions = [says()];
  connected = () => abort.abort(new Error("the page was left"));
  await expect(first(1, stream({ signal: abort.signal }))).rejects.toThrow("the page was left");
});
