/** Explains the cause of a value in sentences, with the command behind it and the time of each hop. Loads on first use. */
import { Modal, Stack } from "@mantine/core";
import type { Porchlight } from "@porchlight/sdk";
import type { Why } from "@porchlight/shared/api";
import { frameTables, hopRows, whySentences } from "@porchlight/shared/presentation";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Fact, Facts } from "../../kit/display/facts.tsx";
import { RequestLink } from "../../kit/display/failure.tsx";
import { Id } from "../../kit/display/id.tsx";
import { QueryView } from "../../kit/display/query-view.tsx";
import { useReturnOfFocus } from "../../kit/forms/confirm-dialog.tsx";
import { momentOf, timeOf, useNow } from "../../kit/text/age.tsx";
import { cut } from "../../kit/text/names.ts";
import { tookOf } from "../../kit/text/quantity.ts";
import { selectorOf, type Target } from "../../live/target.ts";
import { useApi } from "../../session/context.tsx";
import classes from "./why-dialog.module.css";

/** Refetched each time, because the cause can change within a minute. */
const whyQuery = (api: Porchlight, deviceId: string, selector: string) =>
  queryOptions({
    queryKey: ["why", deviceId, selector],
    queryFn: ({ signal }) => api.devices.why(deviceId, selector, { signal }),
    gcTime: 0,
  });

interface WhyDialogProps {
  readonly target: Target;
  /** The property's name without its device: "Power". */
  readonly title: string;
  readonly onClose: () => void;
}

export default function WhyDialog({ target, title, onClose }: WhyDialogProps) {
  const why = useQuery(whyQuery(useApi(), target.deviceId, selectorOf(target)));
  useReturnOfFocus();
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={<bdi>{`Why is ${cut(title, 60)} as it is?`}</bdi>}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <QueryView query={why}>{(found) => <Explanation why={found} title={title} />}</QueryView>
    </Modal>
  );
}

function Explanation({ why, title }: { readonly why: Why; readonly title: string }) {
  const now = useNow();
  const sentences = whySentences(why, { time: (at) => momentOf(timeOf(at), now), property: title });
  // The command that caused the value, else the requested one that did not.
  const command = why.cause.command ?? why.asked;
  return (
    <Stack gap="sm">
      {sentences.map(({ about, text }) => (
        <bdi key={text} className={classes[about]}>
          {text}
        </bdi>
      ))}
      {command && <Behind command={command} title={why.cause.command ? "The command" : "The newest command"} />}
      <Frames why={why} />
    </Stack>
  );
}

/** The frames between hub and device, for firmware developers. */
function Frames({ why }: { readonly why: Why }) {
  const tables = frameTables(why);
  if (tables.length === 0) return null;
  return (
    <details>
      <summary className={classes.summary}>Frames on the line</summary>
      {tables.map(({ title, rows }) => (
        <section key={title} aria-label={title} className={classes.frames}>
          <div className={classes.title}>{title}</div>
          <ol>
            {rows.map(({ after, direction, says, hex }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the frames of a response keep their positions
              <li key={at}>
                <span className={classes.unknown}>{`${after}, ${direction}`}</span>
                <bdi>{says}</bdi>
                {hex !== "" && <code>{hex}</code>}
              </li>
            ))}
          </ol>
        </section>
      ))}
    </details>
  );
}

/** The command behind the value, with its IDs for further analysis. */
function Behind({ command, title }: { readonly command: NonNullable<Why["asked"]>; readonly title: string }) {
  const { id, idempotencyKey, requestId } = command;
  const hops = hopRows(command);
  return (
    <>
      <div className={classes.title}>{hops.length > 0 ? `${title}, and where its time went` : title}</div>
      <Facts>
        {hops.map((hop) => (
          <Fact key={hop.name} name={hop.name}>
            {tookOf(hop.ms)}
          </Fact>
        ))}
        <Fact name="Command">
          <Id value={id} label="command ID" />
        </Fact>
        <Fact name="Idempotency key">
          {idempotencyKey !== undefined && <Id value={idempotencyKey} label="idempotency key" />}
        </Fact>
      </Facts>
      {requestId !== undefined && <RequestLink requestId={requestId} />}
    </>
  );
}
