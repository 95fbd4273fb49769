/** The test files that take long, by what they took on two quiet cores, and the order in which they are best started: the last one that runs runs alone. */

export interface LongFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly seconds: number;
  /** A browser takes a whole core by itself. */
  readonly hasBrowser: boolean;
}

const WITH_BROWSER = {
  "test/browser/truth-sweep.test.ts": 90,
  "test/browser/portal/every-page.test.ts": 60,
  "test/browser/portal-account.test.ts": 43,
  "test/browser/portal-places.test.ts": 40,
  "test/browser/portal-operations.test.ts": 25,
  "test/browser/portal-ecosystem.test.ts": 25,
  "test/browser/portal-scene-editor.test.ts": 22,
  "test/browser/docs.test.ts": 33,
  "test/browser/portal-devices.test.ts": 30,
  "test/browser/portal-drivers.test.ts": 28,
  "test/browser/portal/from-outside.test.ts": 16,
  "test/journeys/portal.test.ts": 17,
  "test/journeys/first-user.test.ts": 100,
};

const WITHOUT = {
  "cloud/src/main.test.ts": 19,
  "test/cluster/scenarios/faults.test.ts": 83,
  "test/cluster/two-nodes.test.ts": 1,
  "test/contracts/isolation/owners-own.test.ts": 28,
  "test/contracts/isolation/references.test.ts": 19,
  "test/contracts/mutations/mutations.test.ts": 31,
  "test/contracts/sdk-python.test.ts": 20,
  "test/faults/cloud-full-disk.test.ts": 7,
  "test/faults/cloud-store-lost.test.ts": 37,
  "test/faults/cloud-without-database.test.ts": 26,
  "test/faults/home/home.test.ts": 32,
  "test/faults/rolling-restart.test.ts": 7,
  "test/faults/wall-clock.test.ts": 17,
  "test/firmware/fuzz-command.test.ts": 22,
  "test/firmware/fuzz-paced.test.ts": 30,
  "test/journeys/broken-line.test.ts": 22,
  "test/journeys/hue.test.ts": 67,
  "test/journeys/lan.test.ts": 32,
  "test/journeys/pairing.test.ts": 15,
  "test/journeys/stream-cut-off.test.ts": 8,
  "test/journeys/zigbee2mqtt.test.ts": 24,
  "test/packages/agent.test.ts": 86,
  "test/packages/images.test.ts": 45,
  "test/world/chaos.test.ts": 10,
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
