/** The version of the protocol between an agent and a child with a driver: one integer that both compare, with its history. */

/**
 * - 1 (2026-11): first version.
 */
export const IPC_VERSION = 1;

/** The oldest supported version: an agent that runs while its program is replaced starts children of the new program. */
export const IPC_VERSION_OLDEST = 1;

/** The newest version that both ends support; undefined when there is none. */
export function chooseIpcVersion(oldest: number, newest: number): number | undefined {
  const version = Math.min(newest, IPC_VERSION);
  return version >= Math.max(oldest, IPC_VERSION_OLDEST) ? version : undefined;
}
