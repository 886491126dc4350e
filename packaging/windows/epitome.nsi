; The installer for Windows, for one user, without an administrator.
; makensis -DVERSION=0.1.0 -DTREE=folder -DSIZE=KiB -DSIDE=picture.bmp -DOUT=file.exe epitome.nsi
;
; setup.exe /S            installs silently; 2 if Epitome runs, and then changes nothing
;           /CLOSE        closes Epitome first, and pauses what it works on
;           /PATH=yes|no  whether terminals find the command `epitome`
;           /TYPES=yes|no whether Windows lists Epitome under "Open with"
; uninstall.exe takes /S and /CLOSE.
Unicode true
!include "MUI2.nsh"
!include "FileFunc.nsh"
!include "LogicLib.nsh"
!include "Sections.nsh"

Name "Epitome ${VERSION}"
OutFile "${OUT}"
RequestExecutionLevel user
ManifestDPIAware true
SetCompressor /SOLID lzma
SetCompressorDictSize 64
; A fixed folder: removing deletes what is in it, which must not be a folder of the user's.
InstallDir "$LOCALAPPDATA\Programs\Epitome"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Epitome"
!define SETUP '"$INSTDIR\python\pythonw.exe" -E -s -P "$INSTDIR\python\epitome_setup.py"'
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "Epitome"
VIAddVersionKey "FileDescription" "Epitome Setup"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "Apache License 2.0"

BrandingText "Epitome ${VERSION}"
!define MUI_ICON "${TREE}/epitome.ico"
!define MUI_UNICON "${TREE}/epitome.ico"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${SIDE}"
!define MUI_COMPONENTSPAGE_NODESC
!define MUI_COMPONENTSPAGE_TEXT_TOP \
  "Epitome is installed for you only, without an administrator, in $LOCALAPPDATA\Programs\Epitome."
!define MUI_COMPONENTSPAGE_TEXT_COMPLIST "Options:"
!define MUI_FINISHPAGE_TITLE "Epitome ${VERSION} is installed"
!define MUI_FINISHPAGE_TEXT "Epitome is in the Start menu."
!define MUI_FINISHPAGE_RUN "$INSTDIR\Epitome.exe"
!define MUI_FINISHPAGE_RUN_TEXT "Open Epitome"
!define MUI_UNCONFIRMPAGE_TEXT_TOP \
  "Epitome is removed from this folder. Your summaries, models and settings in $LOCALAPPDATA\Epitome stay."
!insertmacro MUI_PAGE_LICENSE "${TREE}/LICENSE"
!define MUI_PAGE_HEADER_TEXT "Options"
!define MUI_PAGE_HEADER_SUBTEXT "Choose where Windows offers Epitome."
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

; Ends with the code 2 unless no program of this copy runs, or all are closed.
!macro END_IF_RUNNING un
Function ${un}EndIfRunning
  ${GetParameters} $1
  ${Do}
    ; A program that runs cannot be written to.
    ClearErrors
    ${If} ${FileExists} "$INSTDIR\python\python.exe"
      FileOpen $0 "$INSTDIR\python\python.exe" a
      FileClose $0
    ${EndIf}
    ${If} ${FileExists} "$INSTDIR\python\pythonw.exe"
      FileOpen $0 "$INSTDIR\python\pythonw.exe" a
      FileClose $0
    ${EndIf}
    ${IfNot} ${Errors}
      Return
    ${EndIf}
    ClearErrors
    ${GetOptions} $1 "/CLOSE" $0
    ${If} ${Errors}
      MessageBox MB_OKCANCEL|MB_ICONEXCLAMATION \
        "Epitome is running. Click OK to close it and continue. Running jobs are paused; you can resume them later." \
        /SD IDCANCEL IDOK close
      SetErrorLevel 2
      Quit
    ${EndIf}
    close:
    InitPluginsDir
    File "/oname=$PLUGINSDIR\epitome_setup.py" "${TREE}/python/epitome_setup.py"
    ExecWait '"$INSTDIR\python\pythonw.exe" -E -s -P "$PLUGINSDIR\epitome_setup.py" close' $0
    ${If} $0 != 0
      MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION \
        "Epitome cannot be closed. Close its windows, and wait until its jobs end." \
        /SD IDCANCEL IDRETRY again
      SetErrorLevel 2
      Quit
      again:
    ${EndIf}
  ${Loop}
FunctionEnd
!macroend
!insertmacro END_IF_RUNNING ""
!insertmacro END_IF_RUNNING "un."

Section "Epitome"
  SectionIn RO
  Call EndIfRunning
  ; The older version is whole until the new one is.
  RMDir /r "$INSTDIR\python.old"
  ${If} ${FileExists} "$INSTDIR\python\*.*"
    ClearErrors
    Rename "$INSTDIR\python" "$INSTDIR\python.old"
    ${If} ${Errors}
      MessageBox MB_OK|MB_ICONSTOP \
        "Another program uses the files of Epitome. Nothing was changed; try again later." /SD IDOK
      SetErrorLevel 2
      Quit
    ${EndIf}
  ${EndIf}
  SetOutPath "$INSTDIR"
  ClearErrors
  File /r "${TREE}/*"
  ${If} ${Errors}
    Call BringBack
    MessageBox MB_OK|MB_ICONSTOP "The files cannot be written. The older version, if any, is back." /SD IDOK
    SetErrorLevel 2
    Quit
  ${EndIf}
  RMDir /r "$INSTDIR\python.old"
  Delete "$INSTDIR\epitome.pyw" ; older versions had these
  Delete "$INSTDIR\epitome.cmd"
  CreateShortcut "$SMPROGRAMS\Epitome.lnk" "$INSTDIR\Epitome.exe"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Epitome"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "Epitome"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\epitome.ico"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" ${SIZE}
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
SectionEnd

Section /o "Command “epitome” in terminals (PATH)" PATH
SectionEnd

Section "“Open with” menu of documents" TYPES
SectionEnd

; After all others: what was not chosen is taken back.
Section "-Choices"
  ${If} ${SectionIsSelected} ${PATH}
    ExecWait '${SETUP} path on'
    WriteRegDWORD HKCU "${UNINSTALL}" "EpitomePath" 1
  ${Else}
    ExecWait '${SETUP} path off'
    WriteRegDWORD HKCU "${UNINSTALL}" "EpitomePath" 0
  ${EndIf}
  ${If} ${SectionIsSelected} ${TYPES}
    ExecWait '${SETUP} types on'
    WriteRegDWORD HKCU "${UNINSTALL}" "EpitomeTypes" 1
  ${Else}
    ExecWait '${SETUP} types off'
    WriteRegDWORD HKCU "${UNINSTALL}" "EpitomeTypes" 0
  ${EndIf}
SectionEnd

Function BringBack
  ${If} ${FileExists} "$INSTDIR\python.old\*.*"
    RMDir /r "$INSTDIR\python"
    Rename "$INSTDIR\python.old" "$INSTDIR\python"
  ${EndIf}
FunctionEnd

; When the files are not all written: the disk is full, or the user gave up.
Function .onInstFailed
  Call BringBack
FunctionEnd

; Selects a section as the command line says, else as it was selected last.
!macro CHOOSE option value section
  ClearErrors
  ReadRegDWORD $2 HKCU "${UNINSTALL}" "${value}"
  ${If} ${Errors}
    StrCpy $2 ""
  ${EndIf}
  ClearErrors
  ${GetOptions} $1 "/${option}=" $3
  ${IfNot} ${Errors}
    StrCpy $2 $3
  ${EndIf}
  ${If} $2 == "1"
  ${OrIf} $2 == "yes"
    !insertmacro SelectSection ${section}
  ${ElseIf} $2 != ""
    !insertmacro UnselectSection ${section}
  ${EndIf}
!macroend

Function .onInit
  ${GetParameters} $1
  !insertmacro CHOOSE "PATH" "EpitomePath" ${PATH}
  !insertmacro CHOOSE "TYPES" "EpitomeTypes" ${TYPES}
FunctionEnd

; The user's data in %LOCALAPPDATA%\Epitome stays.
Section "Uninstall"
  Call un.EndIfRunning
  ExecWait '${SETUP} path off'
  ExecWait '${SETUP} types off'
  RMDir /r "$INSTDIR\python"
  RMDir /r "$INSTDIR\python.old"
  RMDir /r "$INSTDIR\bin"
  Delete "$INSTDIR\Epitome.exe"
  Delete "$INSTDIR\epitome.ico"
  Delete "$INSTDIR\LICENSE"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Epitome.lnk"
  DeleteRegKey HKCU "${UNINSTALL}"
SectionEnd
