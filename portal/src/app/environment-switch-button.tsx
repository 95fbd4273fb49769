/** The button with the current environment. It is its own file, because it loads before the menu that it opens. */
import type { Environment } from "@porchlight/shared/api";
import type { ComponentPropsWithRef } from "react";
import { Icon } from "../kit/display/icon.tsx";
import { NameText } from "../kit/text/name.tsx";
import { shortNameOf } from "../kit/text/names.ts";
import classes from "./environment-switch.module.css";

interface SwitchButtonProps extends ComponentPropsWithRef<"button"> {
  readonly environment: Environment | undefined;
}

export function SwitchButton({ environment, ...others }: SwitchButtonProps) {
  return (
    <button type="button" className={classes.switch} {...others}>
      <Icon name="place" />
      <span className={classes.words}>
        <span className={classes.what}>Environment</span>
        <span className={classes.name}>
          <NameText text={environment ? shortNameOf(environment) : "none yet"} />
        </span>
      </span>
      <Icon name="down" size={14} />
    </button>
  );
}
