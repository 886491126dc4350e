; The installer for Windows, for one person, without an administrator.
; makensis -DVERSION=0.1.0 -DTREE=folder -DOUT=file.exe epitome.nsi
Unicode true
!include "MUI2.nsh"

Name "Epitome ${VERSION}"
OutFile "${OUT}"
RequestExecutionLevel user
ManifestDPIAware true
SetCompressor /SOLID lzma
; A fixed folder: removing deletes what is in it, which must not be a folder of the person's.
InstallDir "$LOCALAPPDATA\Programs\Epitome"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Epitome"

!insertmacro MUI_PAGE_LICENSE "${TREE}/LICENSE"
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

Section "Epitome"
  RMDir /r "$INSTDIR\python" ; what an older version had
  SetOutPath "$INSTDIR"
  File /r "${TREE}/*"
  CreateShortcut "$SMPROGRAMS\Epitome.lnk" "$INSTDIR\python\pythonw.exe" \
    '-E -s -P "$INSTDIR\epitome.pyw"' "$INSTDIR\epitome.ico"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Epitome"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\epitome.ico"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
SectionEnd

; The person's data in %LOCALAPPDATA%\Epitome stays.
Section "Uninstall"
  RMDir /r "$INSTDIR\python"
  Delete "$INSTDIR\epitome.pyw"
  Delete "$INSTDIR\epitome.cmd"
  Delete "$INSTDIR\epitome.ico"
  Delete "$INSTDIR\LICENSE"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Epitome.lnk"
  DeleteRegKey HKCU "${UNINSTALL}"
SectionEnd
