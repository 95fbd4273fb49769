/** The test files that take long, by what they took beside three others on two cores, and the order in which they are best started: the last one that runs runs alone. */

export interface LongFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly seconds: number;
  /** A browser takes a whole core by itself. */
  readonly hasBrowser: boolean;
}

const WITH_BROWSER = {
  "portal/test/every-page.test.ts": 90,
  "portal/test/places.test.ts": 65,
  "portal/test/account.test.ts": 80,
  "test/journeys/first-user.test.ts": 92,
  "portal/test/docs.test.ts": 50,
  "portal/test/truth-sweep.test.ts": 45,
  "portal/test/devices.test.ts": 62,
  "portal/test/operations.test.ts": 56,
  "portal/test/history.test.ts": 28,
  "portal/test/alerts.test.ts": 36,
  "portal/test/scenes.test.ts": 36,
  "portal/test/events.test.ts": 20,
  "portal/test/ecosystem.test.ts": 31,
  "portal/test/activity.test.ts": 28,
  "portal/test/hub.test.ts": 23,
  "portal/test/drivers.test.ts": 22,
  "portal/test/home.test.ts": 21,
  "portal/test/truth.test.ts": 21,
};

const WITHOUT = {
  "test/journeys/matter.test.ts": 40,
  "packaging/test/agent.test.ts": 100,
  "packaging/test/cloud.test.ts": 80,
  "test/journeys/operated-postgres.test.ts": 90,
  "test/journeys/proxies.test.ts": 45,
  "test/faults/cloud-full-disk.test.ts": 30,
  "test/faults/flooding-cloud.test.ts": 30,
  "test/journeys/driver-sandbox.test.ts": 25,
  "packaging/test/images.test.ts": 60,
  "test/cluster/scenarios/faults.test.ts": 50,
  "test/contracts/isolation/owners-own.test.ts": 40,
  "test/faults/home/home.test.ts": 70,
  "test/faults/home/home-matter.test.ts": 64,
  "test/world/chaos.test.ts": 45,
  "test/journeys/driver-package.test.ts": 40,
  "test/journeys/matter-bridge.test.ts": 60,
  "test/contracts/isolation/references.test.ts": 56,
  "test/journeys/hue.test.ts": 54,
  "test/contracts/errors/provoked.test.ts": 30,
  "test/contracts/mutations/mutations.test.ts": 28,
  "test/faults/cloud-store-lost.test.ts": 50,
  "test/contracts/isolation/credentials.test.ts": 49,
  "test/first-start/install.test.ts": 45,
  "firmware-sim/test/fuzz-paced.test.ts": 44,
  "test/journeys/lan.test.ts": 43,
  "cloud/src/main.test.ts": 37,
  "test/faults/cloud-without-database.test.ts": 37,
  "test/journeys/hub-dies.test.ts": 37,
  "test/journeys/pairing.test.ts": 34,
  "test/journeys/console-in-a-terminal.test.ts": 33,
  "firmware-sim/test/documented-commands.test.ts": 32,
  "test/journeys/start.test.ts": 32,
  "firmware-sim/test/conform-driver.test.ts": 31,
  "test/journeys/broken-line.test.ts": 31,
  "test/journeys/zigbee2mqtt.test.ts": 29,
  "firmware-sim/test/capture.test.ts": 26,
  "test/contracts/sdk-package.test.ts": 24,
  "test/journeys/set-a-lamp.test.ts": 24,
  "test/contracts/specification.test.ts": 23,
  "firmware-sim/test/packages.test.ts": 23,
  "test/journeys/cloud-dies.test.ts": 22,
  "test/faults/full-disk.test.ts": 21,
  "firmware-sim/test/conform.test.ts": 20,
};

const filesOf = (seconds: Readonly<Record<string, number>>, hasBrowser: boolean): readonly LongFile[] =>
  Object.entries(seconds).map(([path, each]) => ({ path, seconds: each, hasBrowser }));

export const LONG_FILES: readonly LongFile[] = [...filesOf(WITH_BROWSER, true), ...filesOf(WITHOUT, false)];

/**
 * The longest first, but one with a browser only while browsers have no more than half of the workers with it, or nothing else is left.
 *
 * @param workers how many files run at once
 */
export function startingOrder(files: readonly LongFile[], workers: number): readonly LongFile[] {
  const mostBrowsers = Math.max(1, Math.floor(workers / 2));
  const waiting = files.toSorted((one, other) => other.seconds - one.seconds);
  const order: LongFile[] = [];
  let running: { readonly file: LongFile; readonly endsAt: number }[] = [];
  let now = 0;
  while (waiting.length > 0) {
    const browsers = running.filter(({ file }) => file.hasBrowser).length;
    const fitting = waiting.findIndex(({ hasBrowser }) => !hasBrowser || browsers < mostBrowsers);
    const [file] = waiting.splice(Math.max(0, fitting), 1);
    if (!file) break;
    order.push(file);
    running = [...running, { file, endsAt: now + file.seconds }].toSorted((one, other) => one.endsAt - other.endsAt);
    if (running.length >= workers) now = running.shift()?.endsAt ?? now;
  }
  return order;
}
