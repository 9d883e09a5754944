import { classNames } from '#renderer/lib/class-names.ts'
import { Progress as Radix } from 'radix-ui'

const tones = { accent: 'bg-accent', muted: 'bg-muted', warn: 'bg-warn' } as const

/** A progress bar from 0 to 1; `label` names it. */
export const Progress = ({ value, label, tone = 'accent', className }: { value: number; label: string; tone?: keyof typeof tones; className?: string }) => {
  const percent = Math.round(Math.min(Math.max(value, 0), 1) * 100)
  return (
    <Radix.Root value={percent} aria-label={label} className={classNames('h-1.25 min-w-24 overflow-hidden rounded-full bg-line', className)}>
      <Radix.Indicator className={classNames('h-full rounded-full transition-[width] duration-150', tones[tone])} style={{ width: `${String(percent)}%` }} />
    </Radix.Root>
  )
}
