/** The driver: all boards in the settings, each independent of the others. */
import type { DriverResult, RunningDriver } from "@porchlight/driver-kit/package-api";
import { type Around, type BoardPlace, RelayBoard } from "./relay-board.ts";

/** @throws the store's errors */
export async function relayDriver(places: readonly BoardPlace[], around: Around): Promise<RunningDriver> {
  const { kit, store, log } = around;
  const addresses = kit.deviceAddresses(store, (failure) => log.warn({ failure }, "addresses could not be kept"));
  await addresses.load();
  const boards = places.map((place) => new RelayBoard(place, around, addresses));
  const find = (edgeId: string) => boards.find(({ live }) => live === edgeId);
  const notHere: DriverResult = around.kit.notApplied("The board is not connected.");
  return {
    name: "relay boards",
    has: (edgeId) => find(edgeId) !== undefined,
    read: async (device, address, attempt) => (await find(device)?.read(address, attempt)) ?? notHere,
    write: async (device, address, value, attempt) => (await find(device)?.write(address, value, attempt)) ?? notHere,
    status: () => ({
      boards: boards.length,
      live: boards.filter(({ live }) => live !== undefined).length,
      ignored: { notUnderstood: boards.reduce((sum, { notUnderstood }) => sum + notUnderstood, 0) },
    }),
    async [Symbol.asyncDispose]() {
      await Promise.all(boards.map((board) => board.end()));
    },
  };
}
