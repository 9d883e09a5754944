/** A line between ways to sign in, with a quiet word in the middle. */
export const Divider = ({ text }: { text: string }) => (
  <div className="my-4 flex items-center gap-3 text-sm text-faint before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">{text}</div>
)
