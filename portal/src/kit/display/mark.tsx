/** The logo: a lamp under a gable, drawn as one line; lit when the viewed hub is online. */
import classes from "./mark.module.css";

export function Mark({ isLit }: { readonly isLit: boolean }) {
  return (
    <svg className={classes.mark} data-lit={isLit} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M3 12 12 4l9 8M12 4v5M9 14a3 3 0 0 1 6 0v1H9zM10.5 18h3" />
    </svg>
  );
}
