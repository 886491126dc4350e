/* What Qt imports of the ICU of Windows 10, which Wine 10 lacks. Without a converter, Qt uses its own
   text codecs; Epitome uses none of the others. */
#define EXPORT(name) __declspec(dllexport) void *name(void) { return 0; }

EXPORT(UCNV_FROM_U_CALLBACK_SUBSTITUTE) EXPORT(UCNV_TO_U_CALLBACK_SUBSTITUTE)
EXPORT(ucnv_cbFromUWriteUChars) EXPORT(ucnv_cbToUWriteUChars) EXPORT(ucnv_close)
EXPORT(ucnv_countAvailable) EXPORT(ucnv_fromUCountPending) EXPORT(ucnv_fromUnicode)
EXPORT(ucnv_getAvailableName) EXPORT(ucnv_getFromUCallBack) EXPORT(ucnv_getMaxCharSize)
EXPORT(ucnv_getName) EXPORT(ucnv_getStandardName) EXPORT(ucnv_getToUCallBack) EXPORT(ucnv_reset)
EXPORT(ucnv_setFromUCallBack) EXPORT(ucnv_setToUCallBack) EXPORT(ucnv_toUCountPending)
EXPORT(ucnv_toUnicode)

__declspec(dllexport) void *ucnv_open(const char *name, int *error) {
    *error = 16; /* U_UNSUPPORTED_ERROR */
    return 0;
}
