/** The package: Matter devices that are paired with the hub itself. The agent runs it in a separate process. */
import type { DriverPackage } from "@porchlight/driver-kit/package-api";
import { MatterDriver } from "./matter-driver.ts";
import { matterByLibrary } from "./matter-js/matter-js.ts";

/** Name of the hub on the devices, and in other apps that share them. */
interface Settings {
  readonly label?: string | undefined;
}

const driverPackage: DriverPackage<Settings> = {
  api: 1,
  start: async ({ settings, store, log, clock, random, host }) => {
    const network = await matterByLibrary({ store, log, clock, label: settings.label ?? "Porchlight" });
    return await MatterDriver.start({ clock, random, log, host, store, network });
  },
};
export default driverPackage;
