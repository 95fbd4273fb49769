/** The package: Matter devices, paired with the hub itself. The agent runs it in a process of its own. */
import type { DriverPackage } from "@porchlight/driver-kit/package-api";
import { MatterDriver } from "./matter-driver.ts";
import { matterByLibrary } from "./matter-js/matter-js.ts";

/** What the hub is called on the devices, and in the other apps that they are shared with. */
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
