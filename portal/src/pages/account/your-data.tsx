/** The export of all data of the account as one file: start it with the password, watch its progress, download it. */
import { Button, Group, Text } from "@mantine/core";
import type { Porchlight } from "@porchlight/sdk";
import type { Account, AccountExport } from "@porchlight/shared/api";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Facts } from "../../kit/display/facts.tsx";
import { Failure } from "../../kit/display/failure.tsx";
import { Section } from "../../kit/display/page.tsx";
import { QueryView } from "../../kit/display/query-view.tsx";
import { StateWord } from "../../kit/display/state.tsx";
import { PasswordField } from "../../kit/forms/credential-fields.tsx";
import { FormDialog } from "../../kit/forms/form-dialog.tsx";
import { saysWhen } from "../../kit/forms/form-error.ts";
import { Age } from "../../kit/text/age.tsx";
import { bytesOf } from "../../kit/text/quantity.ts";
import { Until } from "../../kit/text/token-times.tsx";
import { useApi } from "../../session/context.tsx";

/** Poll interval in ms while the service creates the export. */
const AGAIN = 3_000;
/** Size of the blobs that the script hands to the browser, in bytes: the browser stores blobs on disk, a script only in memory. */
const PART = 8 * 1024 * 1024;

const accountExportQuery = (api: Porchlight) =>
  queryOptions({
    queryKey: ["account-export"],
    queryFn: ({ signal }) => api.account.export.get({ signal }),
    refetchInterval: ({ state }) => (state.data?.state === "running" ? AGAIN : false),
  });

/** @param onBytes called with the number of received bytes @throws PorchlightError; the signal's reason */
async function downloadArchive(api: Porchlight, onBytes: (bytes: number) => void, signal: AbortSignal): Promise<Blob> {
  const type = "application/zip";
  const parts: Blob[] = [];
  let collected: BlobPart[] = [];
  let length = 0;
  let bytes = 0;
  for await (const piece of api.account.export.download({ signal })) {
    // Copy the piece, because its underlying buffer can be larger.
    collected.push(piece.slice());
    length += piece.length;
    bytes += piece.length;
    onBytes(bytes);
    if (length < PART) continue;
    parts.push(new Blob(collected, { type }));
    collected = [];
    length = 0;
  }
  return new Blob([...parts, ...collected], { type });
}

export function YourData({ account }: { readonly account: Account }) {
  const query = useQuery(accountExportQuery(useApi()));
  return (
    <Section
      title="Your data"
      lead="Get everything that the service keeps of your account as one zip file: places, devices and their values, users, webhooks, events, commands and logs. Passwords, tokens and other secrets are not in it."
    >
      <QueryView query={query}>
        {(made) => (
          <>
            <Standing made={made} isMailed={account.emailVerified} />
            <Group>
              {made.state === "ready" && <DownloadArchive key={made.id} made={made} />}
              {made.state !== "running" && <StartExport isAnother={made.state === "ready"} />}
            </Group>
          </>
        )}
      </QueryView>
    </Section>
  );
}

function Standing({ made, isMailed }: { readonly made: AccountExport; readonly isMailed: boolean }) {
  switch (made.state) {
    case "none":
      return <Text size="sm">There is no file to download yet.</Text>;
    case "running":
      return (
        <div role="status">
          <StateWord tone="warn">in progress</StateWord>
          <Text size="sm">
            The service is making the file{made.bytes ? `: ${bytesOf(made.bytes)} so far` : ""}. You can leave this
            page.
            {isMailed ? " You get an e-mail when the file is ready." : ""}
          </Text>
        </div>
      );
    case "ready":
      return (
        <Facts
          facts={[
            [
              "State",
              <StateWord key="state" tone="good">
                ready
              </StateWord>,
            ],
            ["Size", bytesOf(made.bytes ?? 0)],
            ["Made", made.endedAt === undefined ? "–" : <Age key="made" at={made.endedAt} />],
            ["Deleted", <Until key="deleted" at={made.expiresAt} />],
          ]}
        />
      );
    case "failed":
      return (
        <div role="status">
          <StateWord tone="bad">failed</StateWord>
          <Text size="sm">
            {made.problem === "too_large"
              ? "The file would be larger than the operator of the service allows. Contact the operator."
              : "Something went wrong in the service. Try again."}
          </Text>
        </div>
      );
  }
}

function StartExport({ isAnother }: { readonly isAnother: boolean }) {
  const api = useApi();
  const queries = useQueryClient();
  const [password, setPassword] = useState("");
  return (
    <FormDialog
      label={isAnother ? "Export again" : "Export data"}
      variant="default"
      title="Export your data?"
      submitLabel="Export data"
      atFields={["Password Incorrect"]}
      act={() => api.account.export.start(password)}
      onDone={(started) => {
        setPassword("");
        queries.setQueryData(accountExportQuery(api).queryKey, started);
      }}
    >
      {(error) => (
        <>
          <Text size="sm">
            The service makes the file in the background. It can take some minutes.
            {isAnother ? " The new file replaces the one that is there." : ""}
          </Text>
          <PasswordField
            label="Current password"
            autoComplete="current-password"
            value={password}
            onValue={setPassword}
            error={saysWhen(error, "Password Incorrect")}
          />
        </>
      )}
    </FormDialog>
  );
}

/** The button that downloads the archive; the download continues while the page changes around it. */
function DownloadArchive({ made }: { readonly made: AccountExport }) {
  const api = useApi();
  const [bytes, setBytes] = useState(0);
  const leaving = useRef<AbortController>(undefined);
  // Leaving the page aborts the download.
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
