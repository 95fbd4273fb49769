/** More devices for a scene, with the values that they have now. */

import type { SceneItem } from "@porchlight/shared/api";
import { useState } from "react";
import { FormModal } from "../../../kit/forms/form-modal.tsx";
import type { SceneHome } from "../words/scene-home.ts";
import { captured, withMore } from "./capture.ts";
import { DeviceChoice } from "./device-choice.tsx";

export interface AddDevicesProps {
  readonly home: SceneHome;
  readonly items: readonly SceneItem[];
  readonly onChange: (items: readonly SceneItem[]) => void;
  readonly onClose: () => void;
}

export function AddDevices({ home, items, onChange, onClose }: AddDevicesProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  return (
    <FormModal
      title="Add devices"
      submitLabel="Add devices"
      isReady={chosen.size > 0}
      act={async () => onChange(withMore(home, items, captured(home, [...chosen])))}
      onClose={onClose}
    >
      {() => <DeviceChoice home={home} chosen={chosen} onChange={setChosen} />}
    </FormModal>
  );
}
