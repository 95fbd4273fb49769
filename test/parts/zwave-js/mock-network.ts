/**
 * A program: the real zwave-js-server with the real Z-Wave JS, of which only the stick and the devices behind it are simulated. Run with a
 * port and a folder; it takes orders from its parent, and reports when it is ready.
 *
 * Node 2 is a plug that confirms nothing, with a button; 3 a lamp and 4 a lock, which confirm what they do (Supervision).
 */
import { type MockNode, peerModule } from "./modules.ts";

/** Orders for the devices. */
export type NetworkOrder =
  | { readonly order: "silence" | "speak"; readonly node: number }
  /** A plug takes commands, and does nothing; and carries them out again. */
  | { readonly order: "idle" | "act"; readonly node: number }
  /** A plug is switched by hand, and reports it. */
  | { readonly order: "switch"; readonly node: number; readonly on: boolean }
  | { readonly order: "press"; readonly node: number; readonly key: number };

const HOME_ID = 0x7e570001;
const SWITCHED = "BinarySwitch_currentValue";

const testing = peerModule("@zwave-js/testing");
const { BinarySwitchCCReport, BinarySwitchCCSet, ...scenes } = peerModule("@zwave-js/cc");
const nodes = new Map<number, MockNode>();
const idle = new Set<number>();
let sequence = 0;

async function run(serverPort: number, folder: string): Promise<void> {
  const { createAndStartDriverWithMockPort, createDefaultMockControllerBehaviors, createDefaultMockNodeBehaviors } =
    peerModule("zwave-js/Testing");
  const started = await createAndStartDriverWithMockPort({
    storage: { cacheDir: folder },
    securityKeys: { S0_Legacy: Buffer.alloc(16, 7) },
    // As zwave-js-server sets it.
    emitValueUpdateAfterSetValue: true,
    testingHooks: { skipBootloaderCheck: true },
  });
  const { driver, mockPort, serial } = started;
  driver.on("error", (failure) => process.stderr.write(`${failure.message}\n`));
  const controller = await testing.MockController.create({ homeId: HOME_ID, ownNodeId: 1, mockPort, serial });
  controller.defineBehavior(...createDefaultMockControllerBehaviors());
  const add = async (id: number, ...classes: readonly object[]) => {
    const version = testing.ccCaps({ ccId: 0x86, version: 2 });
    const capabilities = { isListening: true, commandClasses: [version, testing.ccCaps({ ccId: 0x72 }), ...classes] };
    const node = await testing.MockNode.create({ id, controller, capabilities });
    node.defineBehavior(...createDefaultMockNodeBehaviors());
    node.defineBehavior(idling(id), buttons);
    controller.addNode(node);
    nodes.set(id, node);
  };
  const supervision = testing.ccCaps({ ccId: 0x6c, version: 1 });
  await add(2, testing.ccCaps({ ccId: 0x25, version: 1 }), testing.ccCaps({ ccId: 0x5b, version: 3, sceneCount: 2 }));
  await add(3, testing.ccCaps({ ccId: 0x26, version: 4 }), supervision);
  await add(4, testing.ccCaps({ ccId: 0x62, version: 4 }), supervision);
  const ready = new Promise<void>((resolve) => driver.once("all nodes ready", resolve));
  started.continueStartup();
  await ready;
  const { ZwavejsServer } = peerModule("@zwave-js/server");
  await new ZwavejsServer(driver, { port: serverPort, host: "127.0.0.1", enableDNSServiceDiscovery: false }).start();
  process.on("message", (order: NetworkOrder) => void obey(order, controller.ownNodeId));
  process.send?.("ready");
}

/** Takes a command, and does nothing, while it is ordered to. */
function idling(id: number): object {
  return {
    handleCC: (_controller: unknown, _self: unknown, command: unknown) =>
      idle.has(id) && command instanceof BinarySwitchCCSet ? { action: "ok" } : undefined,
  };
}

/** Two buttons; each is pressed, released, held, or pressed twice. */
const buttons = {
  handleCC: (controller: { readonly ownNodeId: number }, _self: unknown, command: unknown) => {
    if (!(command instanceof scenes.CentralSceneCCSupportedGet)) return undefined;
    const of = { nodeId: controller.ownNodeId, sceneCount: 2, supportsSlowRefresh: false, supportedKeyAttributes: {} };
    // One byte of keys, which is that of both.
    const payload = Uint8Array.of(2, 0b011, 0b1111);
    return { action: "sendCC", cc: withPayload(new scenes.CentralSceneCCSupportedReport(of), payload) };
  },
};

/** The library receives these commands only: it does not write what a device sends. */
function withPayload(command: object, payload: Uint8Array): object {
  return Object.assign(command, { payload });
}

async function obey(given: NetworkOrder, controllerId: number): Promise<void> {
  const node = nodes.get(given.node);
  if (!node) return;
  const say = (command: object) =>
    node.sendToController(testing.createMockZWaveRequestFrame(command, { ackRequested: false }));
  switch (given.order) {
    case "silence":
    case "speak":
      node.autoAckControllerFrames = given.order === "speak";
      break;
    case "idle":
      idle.add(given.node);
      break;
    case "act":
      idle.delete(given.node);
      break;
    case "switch":
      node.state.set(SWITCHED, given.on);
      await say(new BinarySwitchCCReport({ nodeId: controllerId, currentValue: given.on }));
      break;
    case "press":
      sequence += 1;
      await say(
        withPayload(
          new scenes.CentralSceneCCNotification({ nodeId: controllerId, sequenceNumber: sequence }),
          Uint8Array.of(sequence, given.key, 1),
        ),
      );
      break;
  }
  process.send?.("done");
}

const [port = "0", cacheDir = ""] = process.argv.slice(2);
await run(Number(port), cacheDir);
