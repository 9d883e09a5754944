import { X } from 'lucide-react'
import { Toast } from 'radix-ui'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { dismissToast, useToasts } from './toast-store.ts'

const shownMs = 5_000
const swipePixels = 50

/** The area of toasts; F8 focuses it, a swipe to the right or Escape closes. */
export const Toaster = () => {
  const { t } = useTranslation('ui')
  const { toasts } = useToasts()
  return (
    <Toast.Provider duration={shownMs} swipeDirection="right" swipeThreshold={swipePixels} label={t('notification')}>
      {toasts.map(({ id, open, title, text, tone, action }) => (
        <Toast.Root
          key={id}
          open={open}
          type={tone === 'error' ? 'foreground' : 'background'}
          onOpenChange={(next) => { if (!next) dismissToast(id) }}
          className="pointer-events-auto! flex animate-in items-start gap-3 rounded-lg border border-line bg-raised py-2.5 pr-2 pl-3.5 data-[swipe=cancel]:translate-x-0 data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)"
        >
          <div className="min-w-0 grow py-0.5">
            <Toast.Title className={tone === 'error' ? 'font-semibold text-loss' : 'font-semibold'}>{title}</Toast.Title>
            {text && <Toast.Description className="mt-0.5 text-muted">{text}</Toast.Description>}
          </div>
          {action && (
            <Toast.Action asChild altText={action.label}>
              <Button variant="outline" size="sm" onClick={action.run}>
                {action.label}
              </Button>
            </Toast.Action>
          )}
          <Toast.Close asChild>
            <Button variant="ghost" size="icon" className="size-7" aria-label={t('close')}>
              <X aria-hidden />
            </Button>
          </Toast.Close>
        </Toast.Root>
      ))}
      {/* Above the totals that stand at the foot of lists; clickable over a dialog too, whose buttons it does not cover. */}
      <Toast.Viewport
        data-toasts
        label={t('notifications', { hotkey: 'F8' })}
        className="pointer-events-auto fixed right-4 bottom-20 z-50 flex w-96 max-w-[calc(100vw-2rem)] flex-col gap-2 rounded-lg [body:has([role=dialog])_&]:right-auto [body:has([role=dialog])_&]:bottom-4 [body:has([role=dialog])_&]:left-4 [body:has([role=dialog])_&]:w-80"
      />
    </Toast.Provider>
  )
}
