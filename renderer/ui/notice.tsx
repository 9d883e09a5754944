import { classNames } from '#renderer/lib/class-names.ts'
import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

const tones = {
  info: { looks: 'bg-accent-tint', ink: 'text-accent', Icon: Info },
  warn: { looks: 'bg-warn-tint', ink: 'text-warn', Icon: TriangleAlert },
  error: { looks: 'bg-loss-tint', ink: 'text-loss', Icon: CircleAlert },
} as const

/** An important sentence in place, with an optional action; an error is announced at once. */
export const Notice = ({ tone = 'info', action, className, children }: { tone?: keyof typeof tones; action?: ReactNode; className?: string; children: ReactNode }) => {
  const { looks, ink, Icon } = tones[tone]
  return (
    <div role={tone === 'error' ? 'alert' : undefined} className={classNames('flex items-start gap-2 rounded-md px-3 py-2', looks, className)}>
      <Icon aria-hidden className={classNames('mt-0.5 size-4 shrink-0', ink)} />
      <div className="min-w-0 grow text-ink">{children}</div>
      {action}
    </div>
  )
}
