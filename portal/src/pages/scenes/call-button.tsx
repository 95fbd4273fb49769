/** The button that calls a scene: large, and busy until the devices respond. */
import { Button } from "@mantine/core";
import type { Scene } from "@porchlight/shared/api";
import { Icon } from "../../kit/display/icon.tsx";
import { nameOf } from "../../kit/text/names.ts";
import type { SceneCall } from "./use-scene-call.ts";

interface CallButtonProps {
  readonly scene: Pick<Scene, "id" | "alias" | "meta">;
  readonly call: SceneCall;
  /** True on the scene's page, where it is the primary action. */
  readonly isPrimary?: boolean;
}

export function CallButton({ scene, call, isPrimary = false }: CallButtonProps) {
  return (
    <Button
      size="md"
      variant={isPrimary ? "filled" : "default"}
      fullWidth
      loading={call.isPending}
      leftSection={<Icon name="play" />}
      aria-label={`Call scene: ${nameOf(scene)}`}
      onClick={call.call}
    >
      Call scene
    </Button>
  );
}
