import { Badge } from '#renderer/ui/badge.tsx'
import { Check, Minus, X } from 'lucide-react'
import type { ReconciledPair } from '#shared/api/reconciliation.ts'
import { useTranslation } from 'react-i18next'

const looks = { equal: { tone: 'gain', Icon: Check }, differs: { tone: 'loss', Icon: X }, unchecked: { tone: 'quiet', Icon: Minus } } as const

/** A day's state: a word, an icon and a color. */
export const StateMark = ({ state }: { state: ReconciledPair['state'] }) => {
  const { t } = useTranslation('reconciliation')
  const { tone, Icon } = looks[state]
  return (
    <Badge tone={tone}>
      <Icon aria-hidden />
      {t(`state.${state}`)}
    </Badge>
  )
}
