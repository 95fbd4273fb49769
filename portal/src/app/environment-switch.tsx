/** Which environment is looked at, and the way to another, which is loaded when somebody takes it. */
import { useState } from "react";
import { Failure } from "../kit/display/failure.tsx";
import { useWanted } from "../kit/lazy/use-wanted.ts";
import { SwitchButton } from "./environment-switch-button.tsx";
import type { Scope } from "./scope.ts";

const loadMenu = () => import("./environment-menu.tsx");

export function EnvironmentSwitch({ scope }: { readonly scope: Scope }) {
  const [isWanted, setWanted] = useState(false);
  const { Part: EnvironmentMenu, error } = useWanted(loadMenu, isWanted);
  if (EnvironmentMenu) return <EnvironmentMenu scope={scope} />;
  return (
    <>
      <SwitchButton
        environment={scope.environment}
        aria-haspopup="listbox"
        aria-expanded={false}
        onClick={() => setWanted(true)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          setWanted(true);
        }}
      />
      {error && <Failure error={error} putAway={() => setWanted(false)} />}
    </>
  );
}
