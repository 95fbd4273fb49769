/** Downloads the filtered events as NDJSON or CSV, with progress and a stop button. */
import { Button, Group, Modal, Progress, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import type { EventLogFilter } from "@porchlight/sdk";
import { useEffect, useRef, useState } from "react";
import { Failure } from "../../kit/display/failure.tsx";
import { serviceTime } from "../../kit/text/local-time.ts";
import { counted } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import { type ExportFormat, exportEvents, MOST_EXPORTED } from "./export.ts";

interface ExportDialogProps {
  readonly filter: EventLogFilter;
  /** The filters in words. */
  readonly what: string;
  readonly onClose: () => void;
}

type State =
  | { readonly kind: "asked" }
  | { readonly kind: "running"; readonly count: number; readonly share: number }
  | { readonly kind: "done"; readonly count: number; readonly isCut: boolean }
  | { readonly kind: "failed"; readonly error: unknown };

export function ExportDialog({ filter, what, onClose }: ExportDialogProps) {
  const api = useApi();
  const [format, setFormat] = useState<ExportFormat>("ndjson");
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const [state, setState] = useState<State>({ kind: "asked" });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = async () => {
    const end = new AbortController();
    running.current = end;
    setState({ kind: "running", count: 0, share: 0 });
    const range = { since: serviceTime(from), until: serviceTime(to) };
    try {
      const { text, count, isCut } = await exportEvents(
        api,
        { filter: { ...filter, ...range }, format, signal: end.signal },
        (soFar, share) => setState({ kind: "running", count: soFar, share }),
      );
      download(text, format);
      setState({ kind: "done", count, isCut });
    } catch (error) {
      setState(end.signal.aborted ? { kind: "asked" } : { kind: "failed", error });
    }
  };
  const isRunning = state.kind === "running";
  return (
    <Modal opened onClose={onClose} title="Export events" closeButtonProps={{ "aria-label": "Close" }}>
      <Stack>
        <Text size="sm">
          {what} Oldest first, at most {MOST_EXPORTED.toLocaleString("en")} in one file.
        </Text>
        <SegmentedControl
          aria-label="Format"
          value={format}
          onChange={(value) => setFormat(value === "csv" ? "csv" : "ndjson")}
          data={[
            { value: "ndjson", label: "NDJSON" },
            { value: "csv", label: "CSV" },
          ]}
          disabled={isRunning}
        />
        <Group grow align="flex-end">
          <TextInput
            type="datetime-local"
            step={1}
            label="From (optional)"
            value={from}
            disabled={isRunning}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
          <TextInput
            type="datetime-local"
            step={1}
            label="Until (optional)"
            value={to}
            disabled={isRunning}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
        </Group>
        {isRunning && <Progress value={state.share * 100} aria-label="Part of the log that was searched" />}
        <Text size="sm" role="status">
          {isRunning && `${counted(state.count, "event")} so far.`}
          {state.kind === "done" && `Downloaded: ${counted(state.count, "event")}.`}
          {state.kind === "done" &&
            state.isCut &&
            " There are more events. Export the rest from the time of the last one."}
        </Text>
        {state.kind === "failed" && <Failure error={state.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={isRunning ? () => running.current?.abort() : onClose}>
            {isRunning ? "Stop" : "Close"}
          </Button>
          <Button loading={isRunning} onClick={() => void start()}>
            Download
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function download(text: readonly string[], format: ExportFormat): void {
  const type = format === "csv" ? "text/csv" : "application/x-ndjson";
  const url = URL.createObjectURL(new Blob([...text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `porchlight-events.${format}`;
  link.click();
  // By then the browser has started the download.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
