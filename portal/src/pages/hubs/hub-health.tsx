/** The section with the hub's self-check. */
import { Button } from "@mantine/core";
import type { Client, HubCheck } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { hubDoctorQuery } from "../../data/hubs.ts";
import { Section } from "../../kit/display/page.tsx";
import { StateWord } from "../../kit/display/state.tsx";
import { counted } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import { HubTold } from "./hub-backups.tsx";
import classes from "./hub-told.module.css";

const TONES = { ok: "good", warning: "warn", failed: "bad" } as const;

/** The hub's self-check, with the same results as `porchlight-agent doctor`. */
export function HubHealth({ client }: { readonly client: Client }) {
  const isOnline = client.connection.state === "online";
  const checks = useQuery({ ...hubDoctorQuery(useApi(), client.id), enabled: isOnline });
  return (
    <Section
      title="Health"
      lead={checks.data && summaryOf(checks.data.items, isOnline)}
      actions={
        isOnline && (
          <div className={classes.controls}>
            <Button size="xs" variant="default" loading={checks.isFetching} onClick={() => void checks.refetch()}>
              Run checks
            </Button>
          </div>
        )
      }
    >
      <HubTold client={client} query={checks} done="Checked">
        {({ items }) => (
          <ul className={classes.list} aria-label="Checks of the hub">
            {items.map(({ name, verdict, says, cure }) => (
              <li key={`${name} ${says}`}>
                <StateWord tone={TONES[verdict]}>{verdict}</StateWord>
                <div className={classes.what}>
                  <span>
                    <strong>{name}</strong>: {says}
                  </span>
                  {cure !== undefined && <span className={classes.cure}>{cure}</span>}
                </div>
              </li>
            ))}
          </ul>
        )}
      </HubTold>
    </Section>
  );
}

/** "All 8 checks passed."; for an offline hub the result of its last check. */
function summaryOf(items: readonly HubCheck[], isOnline: boolean): string {
  const failed = items.filter(({ verdict }) => verdict === "failed").length;
  const warnings = items.filter(({ verdict }) => verdict === "warning").length;
  const when = isOnline ? "" : "At its last check: ";
  if (failed + warnings === 0) return isOnline ? `All ${counted(items.length, "check")} passed.` : `${when}all passed.`;
  const parts = [...(failed > 0 ? [`${failed} failed`] : []), ...(warnings > 0 ? [counted(warnings, "warning")] : [])];
  return `${when}${counted(items.length, "check")}, ${parts.join(", ")}.`;
}
