/** Pins the properties of a chart to the environment's dashboard, as a chart or as the first value alone. */
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Failure } from "../../kit/display/failure.tsx";
import type { Target } from "../../live/target.ts";
import { added, type PinnedCard } from "./cards.ts";
import { newCardId, useDashboard } from "./use-dashboard.ts";

interface PinButtonsProps {
  readonly environmentId: string;
  /** The chart pins all of them, the value only the first. */
  readonly targets: readonly Target[];
}

export function PinButtons({ environmentId, targets }: PinButtonsProps) {
  const { changeAsync, error, forget } = useDashboard(environmentId);
  const [isPinned, setPinned] = useState(false);
  const pin = (card: Pick<PinnedCard, "kind" | "size" | "properties">) => {
    setPinned(false);
    changeAsync(added({ id: newCardId(), ...card })).then(
      () => setPinned(true),
      // The mutation shows the same error below.
      () => undefined,
    );
  };
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => pin({ kind: "chart", size: "wide", properties: targets })}
      >
        Pin chart
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => pin({ kind: "value", size: "small", properties: targets.slice(0, 1) })}
      >
        Pin value
      </Button>
      <span role="status">
        {isPinned && (
          <Link className="alone" to="/environments/$environmentId/dashboard" params={{ environmentId }}>
            Pinned: open the dashboard
          </Link>
        )}
      </span>
      {error && <Failure error={error} putAway={forget} />}
    </>
  );
}
