import { Monogram } from '#renderer/ui/badge.tsx'
import { monogram } from './monogram.ts'

/** The name of a firm or platform after its mark. */
export const Marked = ({ name }: { name: string }) => (
  <span className="flex items-center gap-2">
    <Monogram letters={monogram(name)} />
    {name}
  </span>
)
