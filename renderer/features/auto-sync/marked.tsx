import { monogram } from '#renderer/lib/monogram.ts'
import { Monogram } from '#renderer/ui/badge.tsx'

/** The name of a firm or platform after its mark. */
export const Marked = ({ name }: { name: string }) => (
  <span className="flex items-center gap-2">
    <Monogram letters={monogram(name)} />
    {name}
  </span>
)
