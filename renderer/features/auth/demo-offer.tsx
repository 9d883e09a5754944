import { useEnterDemo } from '#renderer/lib/use-enter-demo.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { useTranslation } from 'react-i18next'

/** The demo brokerage: `first` makes it the obvious step, otherwise it waits quietly below. */
export const DemoOffer = ({ first }: { first: boolean }) => {
  const { t } = useTranslation('auth')
  const words = useProblemText()
  const demo = useEnterDemo()
  return (
    <div className="flex flex-col gap-2">
      <Button variant={first ? 'default' : 'outline'} size="lg" className="h-auto! min-h-10 py-1.5 whitespace-normal!" busy={demo.isPending} onClick={() => { demo.mutate() }}>
        {t('demo.button')}
      </Button>
      <p className="text-sm text-muted">{t('demo.text')}</p>
      {demo.error && <Notice tone="error">{words(demo.error)}</Notice>}
    </div>
  )
}
