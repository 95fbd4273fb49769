/** What of Z-Wave JS the mock network uses, typed by hand: the packages are installed by the tests only, and the types must be there before. */
import { createRequire } from "node:module";

export interface MockNode {
  readonly state: Map<string, unknown>;
  /** Whether its radio acknowledges received frames. */
  autoAckControllerFrames: boolean;
  /** Comes before earlier definitions. */
  defineBehavior(...behaviors: readonly object[]): void;
  sendToController(frame: object): Promise<unknown>;
}

interface MockController {
  readonly ownNodeId: number;
  defineBehavior(...behaviors: readonly object[]): void;
  addNode(node: MockNode): void;
}

interface ZwaveDriver {
  on(event: string, listener: (failure: Error) => void): void;
  once(event: string, listener: () => void): void;
}

type NewCommand = new (options: object) => object;

interface Modules {
  readonly "zwave-js/Testing": {
    createAndStartDriverWithMockPort(options: object): Promise<{
      readonly driver: ZwaveDriver;
      readonly mockPort: unknown;
      readonly serial: unknown;
      continueStartup(): void;
    }>;
    createDefaultMockControllerBehaviors(): object[];
    createDefaultMockNodeBehaviors(): object[];
  };
  readonly "@zwave-js/testing": {
    readonly MockController: { create(options: object): Promise<MockController> };
    readonly MockNode: { create(options: object): Promise<MockNode> };
    ccCaps(of: object): object;
    createMockZWaveRequestFrame(command: object, options: object): object;
  };
  readonly "@zwave-js/cc": {
    readonly BinarySwitchCCReport: NewCommand;
    readonly BinarySwitchCCSet: NewCommand;
    readonly CentralSceneCCNotification: NewCommand;
    readonly CentralSceneCCSupportedGet: NewCommand;
    readonly CentralSceneCCSupportedReport: NewCommand;
  };
  readonly "@zwave-js/server": {
    readonly ZwavejsServer: new (
      driver: ZwaveDriver,
      options: { port: number; host: string; enableDNSServiceDiscovery: boolean },
    ) => { start(): Promise<void> };
  };
}

const required = createRequire(new URL("../../peers/package.json", import.meta.url));

/** @throws Error when the peers are not installed: `node scripts/test/peers.mjs` */
export function peerModule<Name extends keyof Modules>(name: Name): Modules[Name] {
  return required(name);
}
