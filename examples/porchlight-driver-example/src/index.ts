/** The package: a driver for relay boards of the make Example, each at its own address. */
import type { DriverPackage } from "@porchlight/driver-kit/package-api";
import { relayDriver } from "./relay-driver.ts";
import { connectByTcp } from "./tcp.ts";

interface Settings {
  readonly boards?: readonly { readonly host: string; readonly port?: number }[];
}

/** The default port of a board. */
const PORT = 5040;

const driverPackage: DriverPackage<Settings> = {
  api: 1,
  start: (around) => {
    const { boards = [] } = around.settings;
    return relayDriver(
      boards.map(({ host, port = PORT }) => ({ name: `${host}:${port}`, connect: connectByTcp(host, port) })),
      around,
    );
  },
};

export default driverPackage;
