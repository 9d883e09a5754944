/** Keys as labeled on the keyboard, in the order to press them; nothing if there are none. */
export const Keys = ({ caps }: { caps: readonly string[] }) =>
  caps.length === 0 ? null : (
    <span className="inline-flex shrink-0 items-center gap-0.75">
      {caps.map((cap) => (
        <kbd key={cap} className="min-w-4.5 rounded-sm border border-line bg-ground px-1 text-center font-sans text-xs text-muted">
          {cap}
        </kbd>
      ))}
    </span>
  )
