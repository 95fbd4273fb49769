/** The relay between two parts does what its faults are called, or tests over it prove nothing. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "./eventually.ts";
import { FaultProxy } from "./fault-proxy.ts";

const stack = { current: new AsyncDisposableStack() };
let internet: FaultProxy;
/** What each end has received, and whether it knows that the other is gone. */
let hub: End;
let cloud: End;

class End {
  readonly socket: Socket;
  received = "";
  isOver = false;
  constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (bytes) => {
      this.received += bytes;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.isOver = true;
    });
  }
}

async function pair(): Promise<[End, End]> {
  const accepted = new Promise<End>((resolve) => server.once("connection", (socket) => resolve(new End(socket))));
  const socket = connect(Number(new URL(internet.url).port), "127.0.0.1");
  return [new End(socket), await accepted];
}

const server = createServer();
beforeEach(async () => {
  stack.current = new AsyncDisposableStack();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stack.current.defer(() => void server.close());
  internet = stack.current.use(await FaultProxy.start(() => (server.address() as AddressInfo).port, 1));
  [hub, cloud] = await pair();
});
afterEach(() => stack.current.disposeAsync());

test("bytes go both ways in their order, however late each is", async () => {
  internet.delay(0, 20);
  const words = Array.from({ length: 30 }, (_, index) => `${index},`);
  for (const word of words) {
    hub.socket.write(word);
    await new Promise((resolve) => setImmediate(resolve));
  }
  cloud.socket.write("down");
  await eventually("all is there", async () => cloud.received === words.join("") && hub.received === "down");
});

test("a cut is noticed at both ends at once, and a new connection works", async () => {
  internet.cut();
  await eventually("both know", async () => hub.isOver && cloud.isOver);
  [hub, cloud] = await pair();
  hub.socket.write("again");
  await eventually("it works", async () => cloud.received === "again");
});

test("a silent end swallows everything without a notice, also when one end gives up, and new connections are silent until it is over", async () => {
  internet.silence();
  hub.socket.write("lost");
  hub.socket.end();
  const [late, far] = await pair();
  late.socket.write("lost too");
  internet.restore();
  const [third, fourth] = await pair();
  third.socket.write("heard");
  await eventually("the new one works", async () => fourth.received === "heard");
  expect([cloud.received, far.received, cloud.isOver, far.isOver]).toEqual(["", "", false, false]);
});

test("held bytes go on when they are released, and the other direction is not disturbed", async () => {
  internet.hold("down");
  cloud.socket.write("later");
  hub.socket.write("now");
  await eventually("the other way is open", async () => cloud.received === "now");
  expect(hub.received).toBe("");
  internet.release("down");
  await eventually("it came", async () => hub.received === "later");
});

test("an orderly end is passed on behind the last byte", async () => {
  hub.socket.end("last words");
  await eventually("the end is there", async () => cloud.isOver);
  expect(cloud.received).toBe("last words");
});

test("silence one way lets the other way through, and healing resets connections that have lost bytes", async () => {
  internet.silence(["up"]);
  hub.socket.write("lost");
  cloud.socket.write("heard");
  await eventually("the other way is open", async () => hub.received === "heard");
  expect(cloud.received).toBe("");
  internet.heal();
  await eventually("both know", async () => hub.isOver && cloud.isOver);
  [hub, cloud] = await pair();
  hub.socket.write("again");
  await eventually("it works", async () => cloud.received === "again");
});

test("an end that is cut off is reset at once and each time it tries again, until it is healed", async () => {
  internet.cutOff();
  await eventually("both know", async () => hub.isOver && cloud.isOver);
  const refused = new End(connect(Number(new URL(internet.url).port), "127.0.0.1"));
  await eventually("it is refused", async () => refused.isOver);
  internet.heal();
  [hub, cloud] = await pair();
  hub.socket.write("again");
  await eventually("it works", async () => cloud.received === "again");
});
