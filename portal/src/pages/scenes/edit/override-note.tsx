/** At a value: that another one, which comes later, sets the same, so that nobody wonders why a lamp is not as its zone. */
import { Text } from "@mantine/core";
import { NameText } from "../../../kit/text/name.tsx";
import { counted } from "../../../kit/text/quantity.ts";
import { nameIn } from "../../zones/tree/forest.ts";
import type { Override } from "../words/overrides.ts";
import type { SceneHome } from "../words/scene-home.ts";

export interface OverrideNoteProps {
  readonly override: Override | undefined;
  readonly home: SceneHome;
}

export function OverrideNote({ override, home }: OverrideNoteProps) {
  if (!override) return null;
  if (override.kind === "part")
    return (
      <Text size="sm" c="dimmed">
        Except {counted(override.devices, "device")} with a value of {override.devices === 1 ? "its" : "their"} own.
      </Text>
    );
  return (
    <Text size="sm" c="bad">
      Has no effect: <NameText text={nameIn(home.forest, override.by)} /> sets the same, and the later value counts.
    </Text>
  );
}
