/** The button that brings the archive to this machine: its own file because it goes on while the page shows other things. */
import { Button } from "@mantine/core";
import type { AccountExport } from "@porchlight/shared/api";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { downloadArchive } from "../../data/account-export.ts";
import { Failure } from "../../kit/display/failure.tsx";
import { bytesOf } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";

export function DownloadArchive({ made }: { readonly made: AccountExport }) {
  const api = useApi();
  const [bytes, setBytes] = useState(0);
  const leaving = useRef<AbortController>(undefined);
  // Who leaves the page ends it.
  useEffect(() => () => leaving.current?.abort(new DOMException("The page was left.", "AbortError")), []);
  const download = useMutation({
    mutationFn: async () => {
      setBytes(0);
      leaving.current = new AbortController();
      return downloadArchive(api, setBytes, leaving.current.signal);
    },
    onSuccess: (archive) => save(archive, `porchlight-${made.startedAt?.slice(0, 10) ?? "export"}.zip`),
  });
  return (
    <>
      <Button disabled={download.isPending} onClick={() => download.mutate()}>
        {download.isPending ? `Downloading … ${bytesOf(bytes)} of ${bytesOf(made.bytes ?? 0)}` : "Download"}
      </Button>
      {download.error && <Failure error={download.error} putAway={download.reset} />}
    </>
  );
}

function save(archive: Blob, name: string): void {
  const url = URL.createObjectURL(archive);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
