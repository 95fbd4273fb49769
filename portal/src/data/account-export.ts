/** The export of the account: how far it is, and its archive as a file for the browser. */
import type { Porchlight } from "@porchlight/sdk";
import { queryOptions } from "@tanstack/react-query";

/** While the service makes it, ms. */
const AGAIN = 3_000;
/** Bytes that are handed to the browser together: it keeps them on the disk, and a script only in memory. */
const PART = 8 * 1024 * 1024;

export const accountExportQuery = (api: Porchlight) =>
  queryOptions({
    queryKey: ["account-export"],
    queryFn: ({ signal }) => api.account.export.get({ signal }),
    refetchInterval: ({ state }) => (state.data?.state === "running" ? AGAIN : false),
  });

/** @param onBytes told how many bytes have come @throws PorchlightError; the signal's reason */
export async function downloadArchive(
  api: Porchlight,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const type = "application/zip";
  const parts: Blob[] = [];
  let some: BlobPart[] = [];
  let length = 0;
  let bytes = 0;
  for await (const piece of api.account.export.download({ signal })) {
    // A copy of its own: what the connection reads into may be larger.
    some.push(piece.slice());
    length += piece.length;
    bytes += piece.length;
    onBytes(bytes);
    if (length < PART) continue;
    parts.push(new Blob(some, { type }));
    some = [];
    length = 0;
  }
  return new Blob([...parts, ...some], { type });
}
