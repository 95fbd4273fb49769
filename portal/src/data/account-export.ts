/** The export of the account: its progress, and the download of its archive. */
import type { Porchlight } from "@porchlight/sdk";
import { queryOptions } from "@tanstack/react-query";

/** Poll interval in ms while the service creates the export. */
const AGAIN = 3_000;
/** Size of the blobs that the script hands to the browser, in bytes: the browser stores blobs on disk, a script only in memory. */
const PART = 8 * 1024 * 1024;

export const accountExportQuery = (api: Porchlight) =>
  queryOptions({
    queryKey: ["account-export"],
    queryFn: ({ signal }) => api.account.export.get({ signal }),
    refetchInterval: ({ state }) => (state.data?.state === "running" ? AGAIN : false),
  });

/** @param onBytes called with the number of received bytes @throws PorchlightError; the signal's reason */
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
    // Copy the piece, because its underlying buffer can be larger.
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
